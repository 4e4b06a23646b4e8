package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// answers are what was printed of each step, as JSON has it.
type answers map[string]any

func (printed answers) add(step string, line []byte) error {
	decoder := json.NewDecoder(bytes.NewReader(line))
	// So that a number is put into a request as it was printed.
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return err
	}
	printed[step] = value
	return nil
}

// fill puts what earlier steps answered in place of ${step:answer.path.to.0.field}.
func (printed answers) fill(value any) (any, error) {
	switch value := value.(type) {
	case map[string]any:
		filled := make(map[string]any, len(value))
		for name, inner := range value {
			var err error
			if filled[name], err = printed.fill(inner); err != nil {
				return nil, err
			}
		}
		return filled, nil
	case []any:
		filled := make([]any, len(value))
		for position, inner := range value {
			var err error
			if filled[position], err = printed.fill(inner); err != nil {
				return nil, err
			}
		}
		return filled, nil
	case string:
		step, path, isReference := parseReference(value)
		if !isReference {
			return value, nil
		}
		return printed.at(step, path)
	default:
		return value, nil
	}
}

func parseReference(text string) (step, path string, isReference bool) {
	inner, opened := strings.CutPrefix(text, "${")
	inner, closed := strings.CutSuffix(inner, "}")
	if !opened || !closed || strings.Contains(inner, "}") {
		return "", "", false
	}
	return strings.Cut(inner, ":")
}

func (printed answers) at(step, path string) (any, error) {
	value := printed[step]
	for name := range strings.SplitSeq(path, ".") {
		switch holder := value.(type) {
		case map[string]any:
			value = holder[name]
		case []any:
			position, err := strconv.Atoi(name)
			if err != nil || position < 0 || position >= len(holder) {
				return nil, fmt.Errorf("${%s:%s} names nothing that was answered before", step, path)
			}
			value = holder[position]
		default:
			value = nil
		}
	}
	switch value.(type) {
	case string, json.Number:
		return value, nil
	default:
		return nil, fmt.Errorf("${%s:%s} names nothing that was answered before", step, path)
	}
}
