package intent

// EndsForItself says that text is a command that is marked as one after which nothing is waited for.
func (c *Commands) EndsForItself(text string) bool {
	s := read(text)
	f, ok := c.find(&s)
	return ok && f.final
}
