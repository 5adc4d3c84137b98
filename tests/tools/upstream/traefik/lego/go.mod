// Stands in for the module with which Traefik asks certificate authorities for
// certificates. It cannot be had everywhere, and no test asks for any.
module github.com/go-acme/lego/v5

go 1.26.0
