package when

import "time"

// wallOf reads t on the clock of zone. The second result says that it is the later of two equal readings,
// as in the hour that a clock set back shows twice.
func wallOf(t time.Time, zone *time.Location) (wall, bool) {
	_, off := t.In(zone).Zone()
	w := wall(t.Unix() + int64(off))
	return w, instant(w, zone).Unix() != t.Unix()
}

// instant finds when the clock of zone shows w. Where it shows w twice it is the first time;
// where it jumps over w the reading is moved forward by the jump.
func instant(w wall, zone *time.Location) time.Time {
	early, late := offsets(w, zone)
	first := time.Unix(int64(w)-int64(early), 0).In(zone)
	if _, o := first.Zone(); o == early {
		return first
	}
	second := time.Unix(int64(w)-int64(late), 0).In(zone)
	if _, o := second.Zone(); o == late {
		return second
	}
	return first // a gap: the offset before it lands behind the jump, moved by its length
}

// again is the second time that the clock of zone shows w, or the only one.
func again(w wall, zone *time.Location) time.Time {
	_, late := offsets(w, zone)
	second := time.Unix(int64(w)-int64(late), 0).In(zone)
	if _, o := second.Zone(); o == late {
		return second
	}
	return instant(w, zone)
}

// offsets are the zone's distances from UTC in seconds well before and well after w.
func offsets(w wall, zone *time.Location) (early, late int) {
	const reach = 15 * anHour
	_, early = time.Unix(int64(w)-reach, 0).In(zone).Zone()
	_, late = time.Unix(int64(w)+reach, 0).In(zone).Zone()
	return early, late
}
