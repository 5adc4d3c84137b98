package controlplane

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/modelplane-go/modelplane/tests/tools"
)

// etcd is the name of the one store of all clusters.
const etcd = "etcd"

// startEtcd starts the store, and returns its URL. Nobody waits for it: API
// servers do. What it holds dies with the fleet, so that nothing is flushed to
// disk.
func (f *Fleet) startEtcd(context.Context) (string, error) {
	port, err := f.ports.take()
	if err != nil {
		return "", err
	}
	url := "http://" + local(port)
	_, _, err = f.processes.begin(command{
		name: etcd,
		path: f.programs.upstream(tools.Etcd()),
		args: []string{
			"--data-dir=" + filepath.Join(f.dir, "etcd"),
			"--listen-client-urls=" + url,
			"--advertise-client-urls=" + url,
			"--listen-peer-urls=http://127.0.0.1:0",
			"--unsafe-no-fsync",
			"--log-level=warn",
		},
	})
	if err != nil {
		return "", fmt.Errorf("cannot keep what the clusters hold: %w", err)
	}
	return url, nil
}
