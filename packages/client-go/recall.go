package loci

import (
	"context"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	v1 "loci/client-go/lociv1"
)

// Recall finds the memories of the scopes that answer a question in natural language, at most 1 MiB. Nothing in it acts as
// an operator.
func (client *Client) Recall(ctx context.Context, query string, scopes Scopes, options ...RecallOption) (*v1.RecallMemoriesResponse, error) {
	request := &v1.RecallMemoriesRequest{
		Question: &v1.RecallMemoriesRequest_Query{Query: query},
		Scopes:   scopes,
		Options:  &v1.RecallOptions{},
	}
	for _, option := range options {
		option.recall(request)
	}
	return client.RecallMemories(ctx, request)
}

// RecallMemories finds memories as [Client.Recall] does, said in the contract's own request.
func (client *Client) RecallMemories(ctx context.Context, request *v1.RecallMemoriesRequest) (*v1.RecallMemoriesResponse, error) {
	return unary[v1.RecallMemoriesResponse](ctx, client.server, v1.MemoryService_RecallMemories_FullMethodName, request, repeated)
}

type recallOption func(*v1.RecallMemoriesRequest)

func (option recallOption) recall(request *v1.RecallMemoriesRequest) { option(request) }

// Where says which memories may be candidates: loci.Where(loci.Equals("origin", "capture")).
func Where(filter *v1.Filter) RecallOption {
	return recallOption(func(request *v1.RecallMemoriesRequest) { request.Options.Where = filter })
}

// Limit is the most memories, procedures not counted, 1 to 1,000. Default 15.
func Limit(memories int32) RecallOption {
	return recallOption(func(request *v1.RecallMemoriesRequest) { request.Options.Limit = &memories })
}

// MaxTokens is the most tokens of all texts together. Default 1,500; with Limit, as many as so many memories take.
func MaxTokens(tokens int32) RecallOption {
	return recallOption(func(request *v1.RecallMemoriesRequest) { request.Options.MaxTokens = &tokens })
}

// KnownAt finds only what had been recorded by then, as it was then.
func KnownAt(moment time.Time) RecallOption {
	return recallOption(func(request *v1.RecallMemoriesRequest) { request.Options.KnownAt = timestamppb.New(moment) })
}

// Explain also gives every dropped candidate with its reason, and the profile in force.
func Explain(explain bool) RecallOption {
	return recallOption(func(request *v1.RecallMemoriesRequest) { request.Explain = &explain })
}

// Account asks with [Explain] why each of these memories, at most 20, is not among the hits. The answers are its accounts.
func Account(ids ...string) RecallOption {
	return recallOption(func(request *v1.RecallMemoriesRequest) { request.Also = ids })
}

// RecordUsage says whether what is returned is noted for rotation. Default true, but false with [AsOf], [KnownAt] or
// [Explain].
func RecordUsage(record bool) RecallOption {
	return recallOption(func(request *v1.RecallMemoriesRequest) { request.RecordUsage = &record })
}

// Searching says all of how to search and score. Options before it have no effect, and those behind it change a copy.
func Searching(options *v1.RecallOptions) RecallOption {
	return recallOption(func(request *v1.RecallMemoriesRequest) { request.Options = proto.CloneOf(options) })
}
