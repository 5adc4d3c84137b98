package controlplane

import (
	"errors"
	"math/rand/v2"
	"net"
	"strconv"
	"sync"
)

// Ports are below those that outgoing connections take, so that a server that
// was killed finds its own free again.
const (
	firstPort = 20000
	lastPort  = 32000
)

// ports hands out ports nobody listens at.
type ports struct {
	mu   sync.Mutex
	next int
}

// newPorts begins somewhere else each time, unless the network is the fleet's
// own: fleets that start at once do not get into each other's way.
func newPorts(isolated bool) *ports {
	if isolated {
		return &ports{next: firstPort}
	}
	return &ports{next: firstPort + rand.IntN((lastPort-firstPort)*9/10)} //nolint:gosec // Not a secret.
}

// take a port.
func (p *ports) take() (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for ; p.next < lastPort; p.next++ {
		if !free(p.next) {
			continue
		}
		p.next++
		return p.next - 1, nil
	}
	return 0, errors.New("cannot find a free port")
}

// free says whether a port is, on every address.
func free(port int) bool {
	l, err := net.Listen("tcp", net.JoinHostPort("", portText(port))) //nolint:noctx // It is closed at once.
	if err != nil {
		return false
	}
	return l.Close() == nil
}

// portText is a port as text.
func portText(port int) string { return strconv.Itoa(port) }

// local address of a port.
func local(port int) string {
	return net.JoinHostPort("127.0.0.1", portText(port))
}
