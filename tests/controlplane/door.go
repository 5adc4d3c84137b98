package controlplane

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"time"

	"k8s.io/client-go/tools/clientcmd"
)

// Descriptors of the doors in a program that was started again: the first after
// the standard ones.
const (
	doorFile    = 3
	webDoorFile = 4
)

// A door leads from this machine's network into a fleet's own: a socket that was
// made in the one and is served in the other. What goes through is TLS, and the
// server's name in it, which is a cluster's, says which API server it is for.
type door struct {
	listener net.Listener
	servers  map[string]string // Addresses by the names of clusters.
}

// makeDoor makes the door of a program that is to be started again. It returns
// the file to pass to it, and the port.
func makeDoor() (*os.File, int, error) {
	l, err := net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		return nil, 0, fmt.Errorf("cannot make a door: %w", err)
	}
	defer func() { _ = l.Close() }()
	f, err := l.File()
	if err != nil {
		return nil, 0, fmt.Errorf("cannot make a door: %w", err)
	}
	address, ok := l.Addr().(*net.TCPAddr)
	if !ok {
		return nil, 0, errors.New("cannot make a door: its address is none of TCP's")
	}
	return f, address.Port, nil
}

// openDoor lets in those who have the kubeconfigs it writes, as long as the fleet
// lives. Without a network of its own there is nothing to open.
func (f *Fleet) openDoor(ctx context.Context) error {
	servers := []*Server{f.ControlPlane}
	for _, r := range f.Remotes {
		servers = append(servers, r.Server)
	}
	d := &door{servers: map[string]string{}}
	for _, s := range servers {
		d.servers[s.Name] = local(s.port)
		if err := s.writeOutside(f.programs); err != nil {
			return err
		}
	}
	if !f.programs.Isolated {
		return nil
	}

	var err error
	if d.listener, err = f.doorAt(doorFile); err != nil {
		return err
	}
	go d.serve(context.WithoutCancel(ctx))
	return f.openWebDoor(ctx)
}

// openWebDoor lets everybody in to the control plane's gateway, and nowhere else.
func (f *Fleet) openWebDoor(ctx context.Context) error {
	l, err := f.doorAt(webDoorFile)
	if err != nil {
		return err
	}
	f.FrontURL, f.OutsideURL = "http://"+frontAddress, "http://"+local(f.programs.WebDoor)
	go forward(context.WithoutCancel(ctx), l, func() string { return net.JoinHostPort(frontAddress, "80") })
	return nil
}

// doorAt a descriptor, until the fleet stops.
func (f *Fleet) doorAt(descriptor uintptr) (net.Listener, error) {
	file := os.NewFile(descriptor, "door")
	l, err := net.FileListener(file)
	_ = file.Close()
	if err != nil {
		return nil, fmt.Errorf("cannot open a door: %w", err)
	}
	f.atEnd(func() { _ = l.Close() })
	return l, nil
}

// writeOutside writes the kubeconfig for those outside.
func (s *Server) writeOutside(p *Programs) error {
	s.Outside = s.Kubeconfig
	if !p.Isolated {
		return nil
	}
	c, err := clientcmd.LoadFromFile(s.Kubeconfig)
	if err != nil {
		return fmt.Errorf("cannot read a kubeconfig: %w", err)
	}
	for _, cluster := range c.Clusters {
		cluster.Server = "https://" + local(p.Door)
		cluster.TLSServerName = s.Name
	}
	s.Outside = filepath.Join(filepath.Dir(s.Kubeconfig), "outside", s.Name+".kubeconfig")
	if err := clientcmd.WriteToFile(*c, s.Outside); err != nil {
		return fmt.Errorf("cannot write a kubeconfig: %w", err)
	}
	return nil
}

func (d *door) serve(ctx context.Context) {
	for {
		c, err := d.listener.Accept()
		if err != nil {
			return
		}
		go d.lead(ctx, c)
	}
}

// lead a connection to the server it is for.
func (d *door) lead(ctx context.Context, c net.Conn) {
	defer func() { _ = c.Close() }()
	name, hello, err := peek(ctx, c)
	if err != nil {
		return
	}
	to, err := (&net.Dialer{}).DialContext(ctx, "tcp", d.servers[name])
	if err != nil {
		return
	}
	defer func() { _ = to.Close() }()
	if _, err := to.Write(hello); err != nil {
		return
	}
	join(c, to)
}

// peek at what a client says first, and return the name of the server it wants.
func peek(ctx context.Context, c net.Conn) (name string, hello []byte, err error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	l := &listener{Conn: c}
	enough := errors.New("enough")
	err = tls.Server(l, &tls.Config{
		GetConfigForClient: func(h *tls.ClientHelloInfo) (*tls.Config, error) {
			name = h.ServerName
			return nil, enough
		},
	}).HandshakeContext(ctx)
	if !errors.Is(err, enough) {
		return "", nil, fmt.Errorf("cannot tell which server is wanted: %w", err)
	}
	return name, l.heard.Bytes(), nil
}

// A listener remembers what it hears, and says nothing.
type listener struct {
	net.Conn

	heard bytes.Buffer
}

func (l *listener) Read(b []byte) (int, error) {
	n, err := l.Conn.Read(b)
	l.heard.Write(b[:n])
	return n, err
}

func (l *listener) Write(b []byte) (int, error) { return len(b), nil }
