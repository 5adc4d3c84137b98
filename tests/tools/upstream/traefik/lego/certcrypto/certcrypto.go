// Package certcrypto names the keys Traefik would ask for certificates of.
package certcrypto

// A KeyType is a kind of private key.
type KeyType string

// The kinds that can be configured.
const (
	EC256   KeyType = "EC256"
	EC384   KeyType = "EC384"
	RSA2048 KeyType = "RSA2048"
	RSA4096 KeyType = "RSA4096"
	RSA8192 KeyType = "RSA8192"
)
