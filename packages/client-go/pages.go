package loci

import (
	"context"
	"iter"

	"google.golang.org/protobuf/proto"
)

// page is one answer of a list.
type page[Response any] interface {
	*Response
	GetNextPageToken() string
}

// pages asks for one page after the other, each a call of its own, from the request's own page token on. An error ends them.
func pages[Response any, Page page[Response]](ctx context.Context, server *server, method string, request proto.Message) iter.Seq2[Page, error] {
	return func(yield func(Page, error) bool) {
		next := request
		for {
			answer, err := unary[Response](ctx, server, method, next, repeated)
			if err != nil {
				yield(nil, err)
				return
			}
			token := Page(answer).GetNextPageToken()
			if !yield(answer, nil) || token == "" {
				return
			}
			next = withText(request, "page_token", token)
		}
	}
}

// items gives what is on pages, one at a time.
func items[Page, Item any](pages iter.Seq2[Page, error], on func(Page) []Item) iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		for page, err := range pages {
			if err != nil {
				var none Item
				yield(none, err)
				return
			}
			for _, item := range on(page) {
				if !yield(item, nil) {
					return
				}
			}
		}
	}
}
