package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"time"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/audio/checkup"
	"github.com/solo-assistant/solo/audio/device"
	"github.com/solo-assistant/solo/core/channel/cli"
)

// examinedMic is a microphone that was listened to.
type examinedMic struct {
	device.Info
	checkup.Report
}

// TestDevices listens to the microphones while someone speaks.
func (a *app) TestDevices(ctx context.Context, o cli.DeviceTest, tell cli.Tell) error {
	list, err := device.List(device.Capture)
	if err != nil {
		return &cli.Failure{Code: "no_devices", Err: err}
	}
	var chosen []device.Info
	for _, d := range list {
		if named := o.Name != "" && strings.Contains(strings.ToLower(d.Name), strings.ToLower(o.Name)); named || o.Name == "" && !d.Monitor {
			chosen = append(chosen, d)
		}
	}
	if len(chosen) == 0 {
		return &cli.Failure{Code: "no_devices", Hint: "solo devices lists them", Err: fmt.Errorf("no microphone has %q in its name", o.Name)}
	}
	tell(cli.Note{Text: fmt.Sprintf("Say something, for %.0f seconds.", o.For.Seconds())})
	mics := a.examineMics(ctx, chosen, o.For, true)
	for _, m := range compared(mics, a.settings.Audio.Microphone) {
		tell(checkedLine(m))
	}
	return context.Cause(ctx)
}

func checkedLine(m examinedMic) cli.CheckedDevice {
	line := cli.CheckedDevice{Kind: device.Capture.String(), Name: m.Name, Default: m.Default, Fit: m.Fit(), Rate: m.Rate,
		Loudest: math.Round(10*m.Loudest) / 10, Floor: math.Round(10*m.Floor) / 10, Faults: []cli.Fault{}}
	for _, f := range m.Findings {
		line.Faults = append(line.Faults, cli.Fault{Kind: string(f.Kind), What: f.What, Mend: f.Mend})
	}
	return line
}

// compared adds to the microphone that Solo uses that another hears much more.
func compared(mics []examinedMic, want string) []examinedMic {
	used, best := -1, -1
	for i, m := range mics {
		if want == "" && m.Default || want != "" && strings.Contains(strings.ToLower(m.Name), strings.ToLower(want)) {
			used = i
		}
		if !m.Monitor && (best < 0 || m.Loudest-m.Floor > mics[best].Loudest-mics[best].Floor) {
			best = i
		}
	}
	if used < 0 || best == used || best < 0 {
		return mics
	}
	if more := mics[best].Loudest - mics[best].Floor - max(0, mics[used].Loudest-mics[used].Floor); more > 15 && mics[best].Loudest > -45 {
		mics[used].Findings = append(mics[used].Findings, checkup.Better(mics[best].Name, more))
	}
	return mics
}

// examineMics listens to microphones at once.
func (a *app) examineMics(ctx context.Context, list []device.Info, long time.Duration, spoken bool) []examinedMic {
	out := make([]examinedMic, len(list))
	var wg sync.WaitGroup
	for i, d := range list {
		wg.Go(func() { out[i] = examinedMic{d, a.examineMic(ctx, d, long, spoken)} })
	}
	wg.Wait()
	return out
}

// mostSlow is how long a microphone may take to begin before that is worth a word.
const mostSlow = 1200 * time.Millisecond

// examineMic listens to one microphone for a while, counted from its first sound.
func (a *app) examineMic(ctx context.Context, d device.Info, long time.Duration, spoken bool) checkup.Report {
	own, cancel := context.WithTimeout(ctx, long+3*time.Second)
	defer cancel()
	var mu sync.Mutex
	var fault error
	c := a.micConfig(&levels{})
	c.Name, c.OnFault = d.Name, func(err error) { mu.Lock(); fault = err; mu.Unlock() }
	mic := device.NewMic(c)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer cancel()
	wg.Go(func() {
		if err := mic.Serve(own); err != nil && own.Err() == nil {
			mu.Lock()
			fault = err
			mu.Unlock()
			cancel()
		}
	})
	e, began, took := checkup.NewExaminer(), time.Now(), time.Duration(0)
	for heard := 0; heard < int(audio.Samples(long, audio.Rate)); {
		f, err := mic.Read(own)
		if err != nil {
			break
		}
		if mic.Native() == 0 {
			continue // what stands in for a device that sleeps
		}
		if took == 0 {
			took = time.Since(began)
		}
		if heard += len(f.PCM); heard > audio.Rate/5 { // some begin with a click
			e.Hear(f.PCM)
		}
	}
	mu.Lock()
	defer mu.Unlock()
	r := e.Report(spoken, mic.Native())
	return r.With(fault, errors.Is(fault, device.ErrBusy), d.Monitor, took, mostSlow)
}

// examineMicrophone is the doctor's: a short look at the microphone that Solo uses.
func (a *app) examineMicrophone(ctx context.Context) cli.Engine {
	e := examineDevice(device.Capture, "microphone")
	if !e.Found {
		return e
	}
	list, err := device.List(device.Capture)
	if err != nil || len(list) == 0 {
		return e
	}
	used := list[0]
	for _, d := range list {
		if want := a.settings.Audio.Microphone; want != "" && strings.Contains(strings.ToLower(d.Name), strings.ToLower(want)) {
			used = d
			break
		}
	}
	r := a.examineMic(ctx, used, 2500*time.Millisecond, false)
	if r.Fit() {
		e.Version += fmt.Sprintf("; the room at %.0f dBFS, %d Hz", r.Floor, r.Rate)
		return e
	}
	e.Found, e.Missing, e.Mend = false, used.Name+": "+r.Findings[0].What, r.Findings[0].Mend
	for _, f := range r.Findings[1:] {
		e.Missing += ", " + f.What
	}
	return e
}
