package controlplane

import (
	"errors"
	"fmt"
	"net/netip"
	"os"
	"strings"
)

// hosts is where programs look names up. A fleet that has a network of its own
// has one of its own too.
const hosts = "/etc/hosts"

// Name an address, for all programs of the fleet. One that has looked up a name
// before may take five seconds to learn of another.
func (f *Fleet) Name(name, address string) error {
	if !f.programs.Isolated {
		return errors.New("cannot give names: they would be the whole machine's")
	}
	if _, err := netip.ParseAddr(address); err != nil || strings.ContainsAny(name, " \t\n#") {
		return fmt.Errorf("cannot name %s %q", address, name)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	h, err := os.OpenFile(hosts, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return fmt.Errorf("cannot name %s: %w", address, err)
	}
	_, err = fmt.Fprintf(h, "%s %s\n", address, name)
	return errors.Join(err, h.Close())
}
