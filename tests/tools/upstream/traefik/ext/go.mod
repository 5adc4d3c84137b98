// Stands in for a module that is part of Traefik's repository and of no release.
module github.com/traefik/traefik/dynamic/ext

go 1.26.0
