// Command compose-inference-class is the composition function of InferenceClass:
// it says whether the devices of a class are what a driver could publish, and
// what a device selector may say of them.
//
// It composes nothing. Clusters read the class itself, and take the devices of
// one that is not accepted as they are: a mistake in one attribute must not take
// the capacity of a fleet away.
package main

import "github.com/modelplane-go/modelplane/functions/internal/xfn"

func main() { xfn.Main("compose-inference-class", compose) }
