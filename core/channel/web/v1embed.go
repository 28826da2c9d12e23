package web

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"math"

	"github.com/gofiber/fiber/v2"
)

// V1Embed asks for vectors of texts.
type V1Embed struct {
	Model  string `json:"model"`
	Input  texts  `json:"input"`
	Format string `json:"encoding_format,omitempty"` // "float" or "base64"
}

// V1Embedded holds the vectors in the order of the texts.
type V1Embedded struct {
	Object string     `json:"object"`
	Model  string     `json:"model"`
	Data   []V1Vector `json:"data"`
	Usage  V1Usage    `json:"usage"`
}

// V1Vector is one vector: a list of numbers, or little-endian float32 in base64.
type V1Vector struct {
	Object string `json:"object"`
	Index  int    `json:"index"`
	Vector any    `json:"embedding"`
}

const inputsMost = 2048

func (d *Door) v1Embed(c *fiber.Ctx) error {
	if err := unless(d.c.Models != nil, "model for embeddings"); err != nil {
		return err
	}
	in, err := read[V1Embed](c, false)
	if err != nil {
		return err
	}
	if len(in.Input) == 0 || len(in.Input) > inputsMost {
		return invalid("input must be 1 to %d texts.", inputsMost)
	}
	if in.Format != "" && in.Format != "float" && in.Format != "base64" {
		return invalid("encoding_format must be float or base64.")
	}
	if err := d.begin(); err != nil {
		return err
	}
	defer d.asks.give()
	ctx, cancel := context.WithTimeout(c.UserContext(), d.c.Patience)
	defer cancel()
	name, err := d.model(ctx, in.Model)
	if err != nil {
		return err
	}
	vectors, err := d.c.Models.Embed(ctx, name, in.Input)
	if err != nil {
		return lateOr(ctx, err)
	}
	out := V1Embedded{Object: "list", Model: in.Model, Data: []V1Vector{}}
	for i, v := range vectors {
		one := V1Vector{Object: "embedding", Index: i, Vector: v}
		if in.Format == "base64" {
			one.Vector = packed(v)
		}
		out.Data = append(out.Data, one)
	}
	return c.JSON(out)
}

func packed(v []float32) string {
	var raw []byte
	for _, x := range v {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(x))
	}
	return base64.StdEncoding.EncodeToString(raw)
}
