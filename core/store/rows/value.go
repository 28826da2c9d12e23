package rows

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"time"
	"unicode/utf8"
)

// settle gives a value the one form that its kind has in every engine.
func (k kind) settle(v any) any {
	switch x := v.(type) {
	case int64:
		switch k {
		case truth:
			return x != 0
		case fraction:
			return float64(x)
		}
	case bool:
		if k == number {
			if x {
				return int64(1)
			}
			return int64(0)
		}
	case []byte:
		if k != octets && k != anything {
			return string(x)
		}
	case string:
		if k == octets {
			return []byte(x)
		}
	case time.Time:
		return x.UTC().Format(time.RFC3339Nano)
	}
	return v
}

// line writes a row as JSON, always in the same way. Octets and texts that are no UTF-8 go as base64.
func line(buf []byte, kinds []kind, values []any) ([]byte, error) {
	buf = append(buf, '[')
	for i, v := range values {
		if i > 0 {
			buf = append(buf, ',')
		}
		switch x := kinds[i].settle(v).(type) {
		case nil:
			buf = append(buf, "null"...)
		case int64:
			buf = strconv.AppendInt(buf, x, 10)
		case float64:
			buf = append(strconv.AppendFloat(append(buf, `{"f":"`...), x, 'g', -1, 64), `"}`...)
		case bool:
			buf = strconv.AppendBool(buf, x)
		case []byte:
			buf = coded(buf, "b", x)
		case string:
			if !utf8.ValidString(x) {
				buf = coded(buf, "t", []byte(x))
				continue
			}
			var out bytes.Buffer
			enc := json.NewEncoder(&out)
			enc.SetEscapeHTML(false)
			if err := enc.Encode(x); err != nil {
				return nil, err
			}
			buf = append(buf, bytes.TrimSuffix(out.Bytes(), []byte("\n"))...)
		default:
			return nil, fmt.Errorf("a column holds a %T", x)
		}
	}
	return append(buf, ']', '\n'), nil
}

func coded(buf []byte, as string, data []byte) []byte {
	return append(base64.StdEncoding.AppendEncode(append(buf, `{"`+as+`":"`...), data), `"}`...)
}

// values reads what line has written.
func values(row []byte) ([]any, error) {
	dec := json.NewDecoder(bytes.NewReader(row))
	dec.UseNumber()
	var out []any
	if err := dec.Decode(&out); err != nil {
		return nil, err
	}
	for i, v := range out {
		var err error
		switch x := v.(type) {
		case json.Number:
			out[i], err = x.Int64()
		case map[string]any:
			out[i], err = decoded(x)
		case []any:
			err = fmt.Errorf("a list where a value should be")
		}
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

func decoded(m map[string]any) (any, error) {
	for as, v := range m {
		s, _ := v.(string)
		switch as {
		case "f":
			return strconv.ParseFloat(s, 64)
		case "b":
			return base64.StdEncoding.DecodeString(s)
		case "t":
			data, err := base64.StdEncoding.DecodeString(s)
			return string(data), err
		}
	}
	return nil, fmt.Errorf("an unknown kind of value")
}

// sum is a checksum of rows in whatever order: their SHA-256 added up, in four parts.
type sum struct {
	rows  int64
	parts [4]uint64
}

func (s *sum) add(row []byte) {
	h := sha256.Sum256(row)
	s.rows++
	for i := range s.parts {
		s.parts[i] += binary.BigEndian.Uint64(h[8*i:])
	}
}

func (s sum) String() string {
	var b []byte
	for _, p := range s.parts {
		b = binary.BigEndian.AppendUint64(b, p)
	}
	return hex.EncodeToString(b)
}
