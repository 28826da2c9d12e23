// Package pulsetest gives a test its own PulseAudio server with a virtual microphone and speaker.
//
// It needs Linux and the programs of pulseaudio and pulseaudio-utils, and skips the test where these
// are absent. Nothing of it reaches the sound of the machine: the server listens in a folder of the
// test only. Tests that use it begin with "//go:build linux".
//
//	s := pulsetest.Start(t)                    // sets PULSE_SERVER; s.Env() for child programs
//	ctx, stop := context.WithCancel(t.Context())
//	wait := s.RecordSpeaker(ctx, 16000)
//	s.PlayIntoMic(clip)
//	stop()
//	heard := wait()                            // what came out of the speaker
package pulsetest
