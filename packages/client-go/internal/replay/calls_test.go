package main

import (
	"fmt"
	"strings"
	"testing"

	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
)

func TestTheClientHasAMethodForEveryRPC(t *testing.T) {
	methods := 0
	protoregistry.GlobalFiles.RangeFilesByPackage("loci.v1", func(file protoreflect.FileDescriptor) bool {
		for position := range file.Services().Len() {
			service := file.Services().Get(position)
			for number := range service.Methods().Len() {
				method := service.Methods().Get(number)
				methods++
				made, known := callOf(fmt.Sprintf("/%s/%s", service.FullName(), method.Name()))
				isPaged := strings.HasPrefix(string(method.Name()), "List") && method.Output().Fields().ByName("next_page_token") != nil
				if !known || made.hasMany != (method.IsStreamingServer() || isPaged) {
					t.Errorf("%s: known is %v, many answers %v", method.FullName(), known, made.hasMany)
				}
			}
		}
		return true
	})
	if methods < 70 {
		t.Errorf("the contract has only %d methods", methods)
	}
}

func TestPutsInWhatEarlierStepsAnswered(t *testing.T) {
	printed := answers{}
	if err := printed.add("one", []byte(`{"step":"one","answers":[{"memories":[{"id":"a","version":12345678901234567890}]}]}`)); err != nil {
		t.Fatal(err)
	}
	filled, err := printed.fill(map[string]any{"list": []any{"${one:answers.0.memories.0.id}"}, "n": "${one:answers.0.memories.0.version}", "plain": "${", "x": 1.5})
	if text := fmt.Sprint(filled); err != nil || text != "map[list:[a] n:12345678901234567890 plain:${ x:1.5]" {
		t.Errorf("%v, %v", text, err)
	}
	for _, reference := range []string{"${two:answer.id}", "${one:answers.1.id}", "${one:answers.x}", "${one:answers}", "${one:answers.0.memories.0.none}"} {
		if filled, err := printed.fill(reference); err == nil {
			t.Errorf("%s is %v", reference, filled)
		}
	}
}
