package when

type rule struct{}

func (r *rule) String() string { return "" }

var recurrenceRules []entry
