package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	loci "loci/client-go"
)

const writesAtOnce = 8

// written is what is printed of a write.
type written struct {
	Write int      `json:"write"`
	ID    string   `json:"id,omitempty"`
	Error *failure `json:"error,omitempty"`
}

// write remembers so many texts, each in one call that only the client repeats.
func write(ctx context.Context, client *loci.Client, count int, output io.Writer) error {
	if client == nil {
		return errors.New(`LOCI_SCENARIO_CLIENTS lacks the client "faulty"`)
	}
	numbers, lines, failures := make(chan int), make(chan written), make(chan error, writesAtOnce)
	var writers sync.WaitGroup
	for range writesAtOnce {
		writers.Go(func() {
			for number := range numbers {
				line := written{Write: number}
				memory, err := client.Memories.Remember(ctx, fmt.Sprintf("write %d", number), loci.User("scenario"))
				if line.ID = memory.GetId(); err != nil {
					if line.Error, err = failureOf(err); err != nil {
						failures <- err
						return
					}
				}
				lines <- line
			}
		})
	}
	go func() {
		defer close(numbers)
		for number := range count {
			select {
			case numbers <- number:
			case <-ctx.Done():
				return
			}
		}
	}()
	go func() {
		writers.Wait()
		close(lines)
	}()
	printer := json.NewEncoder(output)
	for line := range lines {
		if err := printer.Encode(line); err != nil {
			return err
		}
	}
	select {
	case err := <-failures:
		return err
	default:
		return nil
	}
}
