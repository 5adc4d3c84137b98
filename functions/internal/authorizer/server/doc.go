// Package server answers Traefik, beside which it runs, what package authorizer
// decides, over HTTP. Traefik's ForwardAuth middlewares ask it once for each
// request, before the request goes on:
//
//	GET /callers?namespace=…                    who calls, by the request's headers
//	GET /endpoints?namespace=…&secret=…&key=…   what to call an endpoint with
//	GET /unavailable?namespace=…&service=…      that a service has no endpoint
//
// An answer of 200 has the headers that the request goes on with. Any other is
// what the caller gets: an error of the shape that OpenAI's clients read.
//
// It has the Secrets that are labelled for it from a watch, so that a key is good
// as soon as it is created and bad as soon as it is deleted. Until it has read
// them all it refuses everybody.
//
// It listens where only its own pod reaches it, and so asks nobody who he is. It
// logs nothing of what is in a Secret or a header.
package server
