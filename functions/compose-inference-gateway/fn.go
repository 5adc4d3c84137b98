package main

import "github.com/modelplane-go/modelplane/functions/internal/xfn"

// compose an InferenceGateway: read what is installed, write the controller, its
// gateway, and what protects them.
func compose(c *xfn.Call) error {
	in, err := read(c)
	if err != nil {
		return err
	}
	return write(c, in)
}
