// Command replay makes the calls of a scenario file through the client, one after the other, and prints a line for each: what
// the clients of all languages are compared by. Its environment and its output are described in tools/scenarios.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strconv"

	loci "loci/client-go"
)

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	clients, err := connectAll(os.Getenv("LOCI_SCENARIO_CLIENTS"))
	if err != nil {
		return err
	}
	defer func() {
		for _, client := range clients {
			client.Close()
		}
	}()
	if writes := os.Getenv("LOCI_SCENARIO_WRITES"); writes != "" {
		count, err := strconv.Atoi(writes)
		if err != nil {
			return fmt.Errorf("LOCI_SCENARIO_WRITES is no number: %w", err)
		}
		return write(ctx, clients["faulty"], count, os.Stdout)
	}
	steps, err := readSteps(os.Getenv("LOCI_SCENARIO_FILE"))
	if err != nil {
		return err
	}
	return replay(ctx, steps, clients, os.Stdout)
}

// connectAll makes a client for each name that the environment has.
func connectAll(environment string) (map[string]*loci.Client, error) {
	var named map[string]struct{ Address, APIKey string }
	if err := json.Unmarshal([]byte(environment), &named); err != nil {
		return nil, fmt.Errorf("LOCI_SCENARIO_CLIENTS is not what it should be: %w", err)
	}
	clients := make(map[string]*loci.Client, len(named))
	for name, server := range named {
		var options []loci.Option
		if server.APIKey != "" {
			options = append(options, loci.WithAPIKey(server.APIKey))
		}
		client, err := loci.Connect(server.Address, options...)
		if err != nil {
			return nil, fmt.Errorf("the client %s: %w", name, err)
		}
		clients[name] = client
	}
	return clients, nil
}
