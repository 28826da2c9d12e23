package machine

import "net"

// reach is the network as package net tells it on every system: what is up, without the machine's talk to itself.
type reach struct{}

func (reach) network() ([]address, error) {
	all, err := net.Interfaces()
	if err != nil {
		return nil, err
	}
	out := []address{}
	for _, i := range all {
		if i.Flags&net.FlagUp == 0 || i.Flags&net.FlagLoopback != 0 {
			continue
		}
		addrs, err := i.Addrs()
		if err != nil {
			continue // it went away meanwhile
		}
		a := address{Interface: i.Name}
		var six []string
		for _, x := range addrs {
			ip, ok := x.(*net.IPNet)
			switch {
			case !ok || ip.IP.IsLinkLocalUnicast():
			case ip.IP.To4() != nil:
				a.Addresses = append(a.Addresses, ip.IP.String())
			default:
				six = append(six, ip.IP.String())
			}
		}
		if a.Addresses = append(a.Addresses, six...); len(a.Addresses) > 0 {
			out = append(out, a)
		}
	}
	return out, nil
}
