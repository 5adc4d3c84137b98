package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestJSON(t *testing.T) {
	files := map[string]string{"fleet.yaml": fleet(class, cluster("a", 1), cluster("b", 0), replicas(replica("low-1", "low", "a", 0, -10), replica("own-1", "own", "a", 0, 0)))}
	want := result{Code: 2, Err: notAll, Out: `{
  "fits": false,
  "plans": [
    {
      "namespace": "team",
      "name": "own",
      "wanted": 3,
      "placed": 2,
      "kept": 1,
      "message": "2 of 3 replicas scheduled: 0/2 clusters can host another: 2 not enough room (need 1 pod of 1 gpu, most: a/p, 0)",
      "clusters": [
        {
          "cluster": "a",
          "replicas": 2,
          "room": 1,
          "reason": "NotEnoughRoom",
          "why": "not enough room (need 1 pod of 1 gpu)"
        },
        {
          "cluster": "b",
          "replicas": 0,
          "room": 0,
          "reason": "NotEnoughRoom",
          "why": "not enough room (need 1 pod of 1 gpu)"
        }
      ],
      "placements": [
        {
          "cluster": "a",
          "index": 0,
          "replica": "own-1",
          "engines": [
            {
              "engine": "e",
              "pool": "p",
              "copies": 1,
              "members": [
                {
                  "pods": 1,
                  "devices": {
                    "gpu": 1
                  }
                }
              ]
            }
          ]
        },
        {
          "cluster": "a",
          "index": 1,
          "engines": [
            {
              "engine": "e",
              "pool": "p",
              "copies": 1,
              "members": [
                {
                  "role": "Standalone",
                  "pods": 1,
                  "devices": {
                    "gpu": 1
                  }
                }
              ]
            }
          ],
          "makeWay": [
            {
              "namespace": "team",
              "deployment": "low",
              "index": 0,
              "priority": -10
            }
          ]
        }
      ],
      "changes": [
        {
          "cluster": "a",
          "pool": "p",
          "reason": "NotEnoughRoom",
          "change": "1 more node (room for 0 of 1 pod)",
          "nodes": 1
        },
        {
          "cluster": "b",
          "pool": "p",
          "reason": "NotEnoughRoom",
          "change": "1 more node (room for 0 of 1 pod)",
          "nodes": 1
        }
      ]
    }
  ],
  "notes": [
    "Without a status, and so taken as Ready, with the gateway address and the taints of the spec: a, b"
  ]
}
`}
	got := planIn(t, files, model("own", "{replicas: 3, ENGINES}", engine("e", 1)), "--fleet=fleet.yaml", "--output=json", "-")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want, +got:\n%s", diff)
	}
}
