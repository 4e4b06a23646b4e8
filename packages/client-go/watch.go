package loci

import (
	"context"
	"iter"

	"google.golang.org/protobuf/proto"

	v1 "loci/client-go/lociv1"
)

// Watch tells of changes as they happen, until the loop is left, the context ends, or the client is closed. When the
// connection is lost it goes on behind the last answer, as soon as the server can be reached, for up to 60 s. An answer without a change says
// that everything up to its cursor was told.
func (memories *Memories) Watch(ctx context.Context, request *v1.WatchMemoriesRequest) iter.Seq2[*v1.WatchMemoriesResponse, error] {
	behind := func(answer *v1.WatchMemoriesResponse) proto.Message {
		return &v1.WatchMemoriesRequest{
			Scopes:    request.GetScopes(),
			AllScopes: request.GetAllScopes(),
			Since:     &v1.WatchMemoriesRequest_Cursor{Cursor: answer.GetCursor()},
		}
	}
	return stream(ctx, memories.server, v1.MemoryService_WatchMemories_FullMethodName, request, behind)
}

// Export reads everything that the credential's scopes cover, in the order of ids. It needs the role admin. When the
// connection is lost it goes on behind the last answer. A program that begins again says where with [AfterID].
func (memories *Memories) Export(ctx context.Context, options ...ExportOption) iter.Seq2[*v1.MemoryServiceExportMemoriesResponse, error] {
	request := &v1.MemoryServiceExportMemoriesRequest{}
	for _, option := range options {
		option.export(request)
	}
	behind := func(answer *v1.MemoryServiceExportMemoriesResponse) proto.Message {
		return &v1.MemoryServiceExportMemoriesRequest{AfterId: answer.GetId()}
	}
	return stream(ctx, memories.server, v1.MemoryService_ExportMemories_FullMethodName, request, behind)
}

// ExportOption is what [Memories.Export] takes.
type ExportOption interface {
	export(*v1.MemoryServiceExportMemoriesRequest)
}

// AfterID is the id of the last memory that was dealt with.
type AfterID string

func (id AfterID) export(request *v1.MemoryServiceExportMemoriesRequest) {
	request.AfterId = string(id)
}
