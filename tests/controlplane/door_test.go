package controlplane

import (
	"crypto/tls"
	"net"
	"testing"

	"k8s.io/client-go/rest"
)

// TestDoor goes through a door that leads to two API servers.
func TestDoor(t *testing.T) {
	if fleet == nil {
		t.Skip(skipped)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()

	d := &door{listener: l, servers: map[string]string{}}
	servers := []*Server{fleet.ControlPlane, fleet.Remotes[0].Server}
	for _, s := range servers {
		d.servers[s.Name] = local(s.port)
	}
	go d.serve(t.Context())

	for _, s := range servers {
		outside := *s
		outside.Config = rest.CopyConfig(s.Config)
		outside.Config.Host = "https://" + l.Addr().String()
		outside.Config.ServerName = s.Name
		if err := outside.ready(t.Context()); err != nil {
			t.Errorf("%s cannot be reached: %v", s.Name, err)
		}
	}
	if _, err := tls.Dial("tcp", l.Addr().String(), &tls.Config{ServerName: "nobody", InsecureSkipVerify: true}); err == nil {
		t.Error("a door should lead nowhere but to clusters")
	}
}
