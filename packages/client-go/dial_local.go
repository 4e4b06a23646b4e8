package loci

import (
	"cmp"
	"crypto/tls"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"syscall"

	"google.golang.org/grpc"
)

// serverLocation is what a server notes in the data directory that it has open, for its user alone.
type serverLocation struct {
	Address string `json:"address"`
	PID     int    `json:"pid"`
	TLS     bool   `json:"tls"`
	APIKey  string `json:"apiKey"`
}

// DialLocal opens a connection to the server that has a data directory open, with the key that it keeps there for its
// user. An empty directory stands for LOCI_DATA_DIR, else loci in the XDG data home. Options win over what is found.
//
// A server without configured API keys has another key after each start: dial again when a call ends with
// codes.Unauthenticated, or use [ConnectLocal], which does. That no server of this user has the directory open is an error
// ([ServerUnavailable]).
func DialLocal(dataDirectory string, options ...DialOption) (*grpc.ClientConn, error) {
	directory, err := locateDataDirectory(dataDirectory)
	if err != nil {
		return nil, err
	}
	server, found := findServer(directory)
	if !found {
		return nil, notServed(directory)
	}
	return dial(server.Address, server.dialing(dialSettings(options)))
}

// dialing gives how the server is reached, where nobody has said otherwise.
func (server serverLocation) dialing(given dialing) dialing {
	given.apiKey = cmp.Or(given.apiKey, server.APIKey)
	if given.tls == nil && server.TLS {
		given.tls = &tls.Config{}
	}
	return given
}

func locateDataDirectory(given string) (string, error) {
	if directory := cmp.Or(given, os.Getenv("LOCI_DATA_DIR")); directory != "" {
		return filepath.Abs(directory)
	}
	// The XDG base directory specification says that relative paths are to be ignored.
	if home := os.Getenv("XDG_DATA_HOME"); filepath.IsAbs(home) {
		return filepath.Join(home, "loci"), nil
	}
	home, err := os.UserHomeDir()
	return filepath.Join(home, ".local", "share", "loci"), err
}

func findServer(directory string) (server serverLocation, found bool) {
	note, err := os.ReadFile(filepath.Join(directory, "server.json"))
	if err != nil || json.Unmarshal(note, &server) != nil {
		return server, false
	}
	return server, server.Address != "" && isRunning(server.PID)
}

// isRunning is false for what a server that died has left.
func isRunning(pid int) bool {
	if runtime.GOOS == "windows" {
		return true
	}
	process, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	// Signal 0 only asks whether the process is there; another user's may not be asked.
	err = process.Signal(syscall.Signal(0))
	return err == nil || errors.Is(err, os.ErrPermission)
}
