package loci

import (
	"io"
	"net"
	"sync"
	"testing"

	"google.golang.org/protobuf/proto"

	"loci/client-go/lociv1"
)

// droppingProxy passes connections on, until told to drop all of them as a machine does that loses its power.
type droppingProxy struct {
	address string

	mutex   sync.Mutex
	sockets []net.Conn
}

func startDroppingProxy(t *testing.T, target string) *droppingProxy {
	t.Helper()
	listener := listen(t)
	proxy := &droppingProxy{address: listener.Addr().String()}
	t.Cleanup(func() {
		listener.Close()
		proxy.drop()
	})
	go func() {
		for {
			inner, err := listener.Accept()
			if err != nil {
				return
			}
			outer, err := net.Dial("tcp", target)
			if err != nil {
				inner.Close()
				continue
			}
			proxy.mutex.Lock()
			proxy.sockets = append(proxy.sockets, inner, outer)
			proxy.mutex.Unlock()
			go io.Copy(inner, outer)
			go io.Copy(outer, inner)
		}
	}()
	return proxy
}

func (proxy *droppingProxy) drop() {
	proxy.mutex.Lock()
	defer proxy.mutex.Unlock()
	for _, socket := range proxy.sockets {
		socket.Close()
	}
	proxy.sockets = nil
}

func TestAWriteWhoseAnswerWasLostWithTheConnectionIsRepeatedWithTheSameKey(t *testing.T) {
	var proxy *droppingProxy
	server := serveScript(t, func(call received, number int) (proto.Message, error) {
		if number == 1 {
			proxy.drop()
			<-call.ctx.Done()
		}
		return &lociv1.CreateMemoryResponse{Memory: &lociv1.Memory{Id: "a"}}, nil
	})
	proxy = startDroppingProxy(t, server.address)
	memory, err := connect(t, proxy.address).Memories.Remember(t.Context(), "Deploys are on Thursdays.", Project("billing"))
	if err != nil || memory.GetId() != "a" {
		t.Fatalf("%v, %v", memory, err)
	}
	if keys := requestIDs(server); len(keys) != 2 || keys[0] != keys[1] || keys[0] == "" {
		t.Errorf("%q", keys)
	}
}

func TestAUseWhoseAnswerWasLostIsNotToldAgain(t *testing.T) {
	var proxy *droppingProxy
	server := serveScript(t, func(call received, _ int) (proto.Message, error) {
		proxy.drop()
		<-call.ctx.Done()
		return &lociv1.MarkMemoriesUsedResponse{}, nil
	})
	proxy = startDroppingProxy(t, server.address)
	if err := connect(t, proxy.address).Memories.MarkUsed(t.Context(), "a"); err == nil || len(server.received()) != 1 {
		t.Errorf("%v after %d attempts", err, len(server.received()))
	}
}
