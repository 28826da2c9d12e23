// Package clients drives the web door with the official clients of the OpenAI API, unchanged.
package clients
