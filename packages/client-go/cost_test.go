package loci

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"loci/client-go/lociv1"
)

var stored = &lociv1.Memory{
	Id: "0192f0c1-2345-7abc-8def-0123456789ab", Text: strings.Repeat("Deploys are on Thursdays. ", 8), Scope: Project("billing"),
	Category: new("fact"), Importance: new(0.5), Confidence: new(1.0), Tags: []string{"deploys"}, Etag: "1", Version: 1,
}

func answerStored(received, int) (proto.Message, error) {
	return &lociv1.GetMemoryResponse{Memory: stored}, nil
}

// getters read one memory through the generated client alone, and through the client.
func getters(t testing.TB, address string) (bare, whole func()) {
	connection, err := Dial(address, WithAPIKey(testKey))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { connection.Close() })
	stub, client := lociv1.NewMemoryServiceClient(connection), connect(t, address, WithAPIKey(testKey))
	bare = func() {
		if _, err := stub.GetMemory(t.Context(), &lociv1.GetMemoryRequest{Id: stored.Id}); err != nil {
			t.Fatal(err)
		}
	}
	whole = func() {
		if _, err := client.Memories.Get(t.Context(), stored.Id); err != nil {
			t.Fatal(err)
		}
	}
	return bare, whole
}

func TestACallCostsFewAllocationsMoreThanTheStubs(t *testing.T) {
	bare, whole := getters(t, startServerProcess(t))
	least := func(call func()) float64 {
		fewest := testing.AllocsPerRun(200, call)
		for range 3 {
			fewest = min(fewest, testing.AllocsPerRun(200, call))
		}
		return fewest
	}
	if more := least(whole) - least(bare); more > 10 {
		t.Errorf("%v allocations more", more)
	}
}

// BenchmarkGetMemory says how much CPU time of this process a call takes. The server is another process. Slices of both kinds
// alternate, so that what else the machine does falls on both.
func BenchmarkGetMemory(b *testing.B) {
	bare, whole := getters(b, startServerProcess(b))
	bare()
	whole()
	const slice = 50
	var bareTime, wholeTime time.Duration
	for b.Loop() {
		bareTime += cpuTimeOf(func() { repeatCall(slice, bare) })
		wholeTime += cpuTimeOf(func() { repeatCall(slice, whole) })
	}
	calls := float64(b.N * slice)
	b.ReportMetric(float64(bareTime.Nanoseconds())/calls, "bare-cpu-ns/call")
	b.ReportMetric(float64(wholeTime.Nanoseconds())/calls, "client-cpu-ns/call")
	b.ReportMetric(float64(wholeTime)/float64(bareTime), "client/bare")
}

func repeatCall(times int, call func()) {
	for range times {
		call()
	}
}

func cpuTimeOf(work func()) time.Duration {
	used := func() time.Duration {
		var usage syscall.Rusage
		syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
		return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
	}
	before := used()
	work()
	return used() - before
}

// startServerProcess runs this test binary once more, as a server.
func startServerProcess(b testing.TB) (address string) {
	server := exec.Command(os.Args[0], "-test.run=^TestServesForABenchmark$", "-test.v")
	server.Env = append(os.Environ(), "LOCI_TEST_SERVES=1")
	input, err := server.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	output, err := server.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := server.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		input.Close()
		server.Wait()
	})
	for lines := bufio.NewScanner(output); lines.Scan(); {
		if address, found := strings.CutPrefix(lines.Text(), "serving at "); found {
			return address
		}
	}
	b.Fatal("the server does not start")
	return ""
}

func TestServesForABenchmark(t *testing.T) {
	if os.Getenv("LOCI_TEST_SERVES") == "" {
		return
	}
	fmt.Printf("serving at %s\n", serveScript(t, answerStored).address)
	bufio.NewReader(os.Stdin).ReadByte()
}
