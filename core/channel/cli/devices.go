package cli

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// Checkup is what the commands ask about sound devices.
type Checkup interface {
	// TestDevices listens to the microphones and tells of each what is wrong with it.
	TestDevices(ctx context.Context, o DeviceTest, tell Tell) error
}

// DeviceTest is how to test the microphones.
type DeviceTest struct {
	Name string        // a part of one's name, "" for all
	For  time.Duration // how long to listen
}

func (c *command) devices() *cobra.Command {
	cmd := &cobra.Command{
		Use: "devices", Short: "List microphones and loudspeakers, or test them", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.solo(func(s Solo, p *printer) error { return s.Devices(cmd.Context(), p.print) })
		},
	}
	cmd.AddCommand(c.testDevices())
	return cmd
}

func (c *command) testDevices() *cobra.Command {
	var o DeviceTest
	var seconds float64
	cmd := &cobra.Command{
		Use: "test [MICROPHONE]", Short: "Listen to the microphones while you speak, and tell what is wrong with them",
		Long:    "Listen to all microphones, or to the one whose name is given in part, while you say something, and tell of each what is wrong with it and what mends it: silence, a wrong one, a mute switch, another program that has it for itself, a headset's telephone sound, distortion, hum.",
		Example: "  solo devices test\n  solo devices test headset --seconds 6",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usageError{fmt.Errorf("%s takes one name, but got %q", cmd.CommandPath(), args)}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if seconds < 1 || seconds > 60 {
				return usageError{fmt.Errorf("--seconds must be 1 to 60")}
			}
			o.Name, o.For = strings.Join(args, ""), time.Duration(seconds*float64(time.Second))
			return c.solo(func(s Solo, p *printer) error { return s.TestDevices(cmd.Context(), o, p.print) })
		},
	}
	cmd.Flags().Float64Var(&seconds, "seconds", 5, "how long to listen, 1 to 60")
	return cmd
}

// CheckedDevice is a microphone that was listened to.
type CheckedDevice struct {
	Kind    string  `json:"kind"` // "microphone"
	Name    string  `json:"name"`
	Default bool    `json:"default"`
	Fit     bool    `json:"fit"`
	Loudest float64 `json:"loudest_dbfs"`
	Floor   float64 `json:"floor_dbfs"`
	Rate    int     `json:"rate_hz"` // its own
	Faults  []Fault `json:"faults"`
}

// Fault is what is wrong with a device, and what mends it.
type Fault struct {
	Kind string `json:"kind"` // "zeros", "silent", "faint", "clipped", "offset", "hum", "narrow", "gaps", "busy", "late", "wrong", "monitor" or "nothing"
	What string `json:"what"`
	Mend string `json:"mend"`
}

func (CheckedDevice) Event() string { return "checked" }
func (d CheckedDevice) Human() string {
	mark := " "
	if d.Default {
		mark = "*"
	}
	text := fmt.Sprintf("%s %s: ", mark, d.Name)
	if d.Fit {
		return text + fmt.Sprintf("well (you at %.0f dBFS, the room at %.0f, %d Hz)", d.Loudest, d.Floor, d.Rate)
	}
	var faults []string
	for _, f := range d.Faults {
		faults = append(faults, f.What+"\n      "+f.Mend)
	}
	return text + strings.Join(faults, "\n    ")
}
