package packages

import "path"

// Where in a registry packages are.
const (
	// Organization of Modelplane's packages.
	Organization = "modelplane-go"

	// ConfigurationName is the name of Modelplane's Configuration.
	ConfigurationName = "modelplane"

	// providersOrganization is that of the providers.
	providersOrganization = "crossplane-contrib"
)

// DefaultVersion of packages that are not released.
const DefaultVersion = "v0.1.0"

// A Package is a file that holds a Crossplane package.
type Package struct {
	// Repository of the package in a registry, such as modelplane-go/modelplane.
	Repository string `json:"repository"`

	// Version the package is tagged with.
	Version string `json:"version"`

	// Path of the file.
	Path string `json:"path"`
}

// Name of the package.
func (p Package) Name() string { return path.Base(p.Repository) }

// Reference to the package in a registry, such as 127.0.0.1:5000.
func (p Package) Reference(registry string) string {
	return registry + "/" + p.Repository + ":" + p.Version
}
