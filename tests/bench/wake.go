package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/solo-assistant/solo/audio"
)

// noise levels in which the wake word is said.
const babbleSNR = 10 // dB

func measureWake(ctx context.Context, b *bench) (section, error) {
	clean, noisy, err := b.wakeFiles()
	if err != nil {
		return section{}, err
	}
	others, err := b.otherFiles()
	if err != nil {
		return section{}, err
	}
	lines, err := b.ask(ctx, b.dir+"/wake", slices.Concat([]string{"wake", "--word", "jarvis"}, clean, noisy, others)...)
	if err != nil && len(lines) == 0 {
		return section{}, err
	}
	return judgeWake(clean, noisy, others, lines), err
}

// wakeFiles are all "jarvis", in silence and in babble.
func (b *bench) wakeFiles() (clean, noisy []string, err error) {
	paths, err := b.files("wake", "jarvis", "*")
	if err != nil {
		return nil, nil, err
	}
	babbles, err := b.files("noise", "*babble*")
	if err != nil {
		return nil, nil, err
	}
	babble, err := load(babbles[0])
	if err != nil {
		return nil, nil, err
	}
	for i, path := range paths {
		pcm, err := load(path)
		if err != nil {
			return nil, nil, err
		}
		pad := make([]int16, audio.Rate)
		c, err := b.save(fmt.Sprintf("clean%02d.wav", i), slices.Concat(pad, pcm, pad))
		if err != nil {
			return nil, nil, err
		}
		// Another second of the babble for each, as loud as the word is where it is spoken.
		n, err := b.save(fmt.Sprintf("babble%02d.wav", i), inNoise(trim(pcm), babble, i*len(babble)/len(paths), audio.Rate, babbleSNR))
		if err != nil {
			return nil, nil, err
		}
		clean, noisy = append(clean, c), append(noisy, n)
	}
	return clean, noisy, nil
}

// otherFiles hold everything but "jarvis": noise, speech, orders and another wake word.
func (b *bench) otherFiles() ([]string, error) {
	var all []string
	for _, pattern := range [][]string{{"noise", "*.*"}, {"speech", "*.wav"}, {"commands", "*.flac"}, {"wake", "computer", "*"}} {
		paths, err := b.files(pattern...)
		if err != nil {
			return nil, err
		}
		all = append(all, paths...)
	}
	return all, nil
}

func judgeWake(clean, noisy, others []string, lines []line) section {
	hits, scanned := map[string]int{}, map[string]bool{}
	var length, elapsed float64
	for _, l := range lines {
		switch l.Event {
		case "wake":
			hits[l.File]++
		case "scanned":
			scanned[l.File] = true
			elapsed += l.Elapsed / 1000
			length += l.Length
		}
	}
	found := func(paths []string) (n int) {
		for _, p := range paths {
			n += min(hits[p], 1)
		}
		return n
	}
	twice, alarms, unread := 0, 0, 0
	t := newTable("false hits in")
	for _, p := range slices.Concat(clean, noisy, others) {
		if !scanned[p] {
			unread++
		}
		if slices.Contains(others, p) {
			alarms += hits[p]
			if hits[p] > 0 {
				t.row(filepath.Base(p))
			}
		} else {
			twice += max(hits[p]-1, 0)
		}
	}
	s := section{goals: []goal{
		atLeast("wake words found in silence", found(clean), len(clean), 38),
		atLeast("wake words found in babble at 10 dB", found(noisy), len(noisy), 30),
		{"false wake words", fmt.Sprint(alarms + twice), "0", alarms+twice == 0},
	}}
	s.text = fmt.Sprintf("People saying \"jarvis\", through `solo wake`: clean %s; in babble of people at %d dB below the word %s. "+
		"Hits in %d recordings without the word (noise, speech, orders, \"computer\"): %d; words found twice: %d. %d files could not be read. Real-time factor %.4f.\n",
		share(found(clean), len(clean)), babbleSNR, share(found(noisy), len(noisy)), len(others), alarms, twice, unread, elapsed/length)
	if alarms > 0 {
		s.text += "\n" + t.String()
	}
	return s
}
