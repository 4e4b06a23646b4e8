package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"google.golang.org/protobuf/encoding/protojson"

	loci "loci/client-go"
)

// step is a call that every client makes.
type step struct {
	Step    string         `json:"step"`
	Call    string         `json:"call"`
	Client  string         `json:"client"`
	Request map[string]any `json:"request"`
	// Take ends a stream after so many answers.
	Take int `json:"take"`
	// TimeoutMilliseconds is the call's own time limit. 0: no time is left.
	TimeoutMilliseconds *int `json:"timeoutMilliseconds"`
}

// line is what is printed of a step.
type line struct {
	Step    string            `json:"step"`
	Answer  json.RawMessage   `json:"answer,omitempty"`
	Answers []json.RawMessage `json:"answers,omitzero"`
	Error   *failure          `json:"error,omitempty"`
}

// failure is an error as it is printed.
type failure struct {
	Code     loci.Code         `json:"code"`
	Reason   loci.Reason       `json:"reason"`
	Message  string            `json:"message"`
	Advice   string            `json:"advice,omitempty"`
	Field    string            `json:"field,omitempty"`
	Resource string            `json:"resource,omitempty"`
	Details  map[string]string `json:"details,omitempty"`
}

func readSteps(path string) ([]step, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var steps []step
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<26)
	for lines.Scan() {
		var read step
		if err := json.Unmarshal(lines.Bytes(), &read); err != nil {
			return nil, fmt.Errorf("line %d of %s: %w", len(steps)+1, path, err)
		}
		steps = append(steps, read)
	}
	return steps, lines.Err()
}

// replay makes the calls of the steps in order.
func replay(ctx context.Context, steps []step, clients map[string]*loci.Client, output io.Writer) error {
	printed := answers{}
	for _, step := range steps {
		client, known := clients[cmp.Or(step.Client, "writer")]
		if !known {
			return fmt.Errorf("%s: there is no client %q", step.Step, step.Client)
		}
		outcome, err := outcomeOf(ctx, step, client, printed)
		if err != nil {
			return fmt.Errorf("%s: %w", step.Step, err)
		}
		text, err := json.Marshal(outcome)
		if err != nil {
			return fmt.Errorf("%s: %w", step.Step, err)
		}
		if err := printed.add(step.Step, text); err != nil {
			return fmt.Errorf("%s: %w", step.Step, err)
		}
		if _, err := fmt.Fprintf(output, "%s\n", text); err != nil {
			return err
		}
	}
	return nil
}

func outcomeOf(ctx context.Context, step step, client *loci.Client, printed answers) (line, error) {
	outcome := line{Step: step.Step}
	call, known := callOf("/" + step.Call)
	if !known {
		return outcome, fmt.Errorf("the client has no %s", step.Call)
	}
	filled, err := printed.fill(step.Request)
	if err != nil {
		return outcome, err
	}
	request, err := json.Marshal(filled)
	if err != nil {
		return outcome, err
	}
	if step.TimeoutMilliseconds != nil {
		limited, cancel := context.WithTimeout(ctx, time.Duration(*step.TimeoutMilliseconds)*time.Millisecond)
		defer cancel()
		ctx = limited
	}
	given, err := call.make(ctx, client, request)
	if err != nil {
		return outcome, err
	}
	received := []json.RawMessage{}
	for message, err := range given {
		if err != nil {
			outcome.Error, err = failureOf(err)
			return outcome, err
		}
		text, err := protojson.Marshal(message)
		if err != nil {
			return outcome, err
		}
		if received = append(received, text); len(received) == step.Take {
			break
		}
	}
	if call.hasMany {
		outcome.Answers = received
	} else {
		outcome.Answer = received[0]
	}
	return outcome, nil
}

// failureOf gives an error of the client as it is printed. Any other is one of this program.
func failureOf(err error) (*failure, error) {
	var known *loci.Error
	if !errors.As(err, &known) {
		return nil, err
	}
	return &failure{
		Code: known.Code, Reason: known.Reason, Message: known.Message, Advice: known.Advice,
		Field: known.Field, Resource: known.Resource, Details: known.Details,
	}, nil
}
