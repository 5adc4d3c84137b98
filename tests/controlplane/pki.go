package controlplane

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

// An authority signs the certificates of one cluster.
type authority struct {
	cert *x509.Certificate
	key  any
	pem  []byte // Of the certificate.
}

// A keyPair is a certificate and its key, in PEM.
type keyPair struct {
	cert, key []byte
}

// newAuthority makes an authority that trusts nobody else.
func newAuthority(name string) (*authority, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("cannot make the key of an authority: %w", err)
	}
	template := validNow(&x509.Certificate{
		Subject:               pkix.Name{CommonName: name},
		IsCA:                  true,
		BasicConstraintsValid: true,
		KeyUsage:              x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	})
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return nil, fmt.Errorf("cannot make the certificate of an authority: %w", err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, fmt.Errorf("cannot read the certificate of an authority: %w", err)
	}
	return &authority{cert: cert, key: key, pem: encode("CERTIFICATE", der)}, nil
}

// parseAuthority reads an authority somebody else made.
func parseAuthority(certPEM, keyPEM []byte) (*authority, error) {
	c, _ := pem.Decode(certPEM)
	k, _ := pem.Decode(keyPEM)
	if c == nil || k == nil {
		return nil, fmt.Errorf("cannot read an authority: it is not PEM")
	}
	cert, err := x509.ParseCertificate(c.Bytes)
	if err != nil {
		return nil, fmt.Errorf("cannot read the certificate of an authority: %w", err)
	}
	key, err := parseKey(k)
	if err != nil {
		return nil, fmt.Errorf("cannot read the key of an authority: %w", err)
	}
	return &authority{cert: cert, key: key, pem: certPEM}, nil
}

func parseKey(b *pem.Block) (any, error) {
	switch b.Type {
	case "RSA PRIVATE KEY":
		return x509.ParsePKCS1PrivateKey(b.Bytes)
	case "EC PRIVATE KEY":
		return x509.ParseECPrivateKey(b.Bytes)
	default:
		return x509.ParsePKCS8PrivateKey(b.Bytes)
	}
}

// server signs the certificate of a server.
func (a *authority) server(name string, dnsNames ...string) (keyPair, error) {
	return a.sign(&x509.Certificate{
		Subject:     pkix.Name{CommonName: name},
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		DNSNames:    append([]string{"localhost"}, dnsNames...),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	})
}

// client signs the certificate of a user.
func (a *authority) client(user string, groups ...string) (keyPair, error) {
	return a.sign(&x509.Certificate{
		Subject:     pkix.Name{CommonName: user, Organization: groups},
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	})
}

func (a *authority) sign(template *x509.Certificate) (keyPair, error) {
	key, err := newKey()
	if err != nil {
		return keyPair{}, err
	}
	template.KeyUsage = x509.KeyUsageDigitalSignature
	der, err := x509.CreateCertificate(rand.Reader, validNow(template), a.cert, key.key.Public(), a.key)
	if err != nil {
		return keyPair{}, fmt.Errorf("cannot sign the certificate of %s: %w", template.Subject.CommonName, err)
	}
	return keyPair{cert: encode("CERTIFICATE", der), key: key.pem}, nil
}

// A private key, as it is and in PEM.
type private struct {
	key *ecdsa.PrivateKey
	pem []byte
}

func newKey() (private, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return private{}, fmt.Errorf("cannot make a key: %w", err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return private{}, fmt.Errorf("cannot encode a key: %w", err)
	}
	return private{key: key, pem: encode("PRIVATE KEY", der)}, nil
}

// public part of a key, in PEM.
func (p private) public() ([]byte, error) {
	der, err := x509.MarshalPKIXPublicKey(p.key.Public())
	if err != nil {
		return nil, fmt.Errorf("cannot encode a key: %w", err)
	}
	return encode("PUBLIC KEY", der), nil
}

// validNow gives a certificate a serial number and ten days.
func validNow(c *x509.Certificate) *x509.Certificate {
	now := time.Now()
	c.SerialNumber = big.NewInt(now.UnixNano())
	c.NotBefore, c.NotAfter = now.Add(-time.Hour), now.Add(240*time.Hour)
	return c
}

func encode(kind string, der []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
}

// writeFiles in a folder, and make it.
func writeFiles(dir string, files map[string][]byte) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("cannot make a folder: %w", err)
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			return fmt.Errorf("cannot write %s: %w", name, err)
		}
	}
	return nil
}
