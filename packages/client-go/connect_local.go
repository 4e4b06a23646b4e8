package loci

import (
	"cmp"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
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

// ConnectLocal opens a connection to the server that has a data directory open, with the key that it keeps there for its
// user. An empty directory stands for LOCI_DATA_DIR, else loci in the XDG data home. Options win over what is found.
//
// A server without configured API keys has another key after each start: connect again when a call ends with
// codes.Unauthenticated. That no server of this user has the directory open is an error.
func ConnectLocal(dataDirectory string, options Options) (*grpc.ClientConn, error) {
	directory, err := locateDataDirectory(dataDirectory)
	if err != nil {
		return nil, err
	}
	server, found := findServer(directory)
	if !found {
		return nil, fmt.Errorf("loci: no server of this user has %s open: start one with loci serve, or name the directory of the one that runs (LOCI_DATA_DIR)", directory)
	}
	options.APIKey = cmp.Or(options.APIKey, server.APIKey)
	if options.TLS == nil && server.TLS {
		options.TLS = &tls.Config{}
	}
	return Connect(server.Address, options)
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
