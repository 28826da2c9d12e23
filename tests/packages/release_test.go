//go:build linux

package packages

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// released is the folder of what goreleaser made of this checkout; it is made where it is not there.
var released = sync.OnceValues(func() (string, error) {
	dist, err := filepath.Abs("../../dist")
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(filepath.Join(dist, "checksums.txt")); err == nil && os.Getenv("SOLO_RELEASED") != "" {
		return dist, nil
	}
	out, err := exec.Command("../../scripts/release.sh", "snapshot").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("scripts/release.sh: %w\n%s", err, out[max(0, len(out)-4000):])
	}
	return dist, nil
})

func release(t *testing.T) string {
	t.Helper()
	soaking(t)
	dist, err := released()
	if err != nil {
		if strings.Contains(err.Error(), "getting goreleaser") && !strings.Contains(err.Error(), "configuration file(s) validated") {
			t.Skip("skipped: goreleaser cannot be had: " + err.Error())
		}
		t.Fatal(err)
	}
	return dist
}

// Every file is there, is what checksums.txt says, and has its bill.
func TestSoakReleaseIsWhole(t *testing.T) {
	dist := release(t)
	sums, err := os.ReadFile(filepath.Join(dist, "checksums.txt"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for line := range strings.Lines(string(sums)) {
		sum, name, ok := strings.Cut(strings.TrimSpace(line), "  ")
		text, err := os.ReadFile(filepath.Join(dist, name))
		if err != nil || !ok || fmt.Sprintf("%x", sha256.Sum256(text)) != sum {
			t.Errorf("%s: %v", line, err)
		}
		names = append(names, fmt.Sprintf("%s (%d MB)", name, len(text)>>20))
	}
	for _, want := range []string{"solo_linux_amd64.tar.gz", "solo_windows_amd64.zip", "_amd64.deb", "solo_linux_amd64.cdx.json", "solo_windows_amd64.cdx.json"} {
		if !strings.Contains(strings.Join(names, "\n"), want) {
			t.Errorf("no %s in %v", want, names)
		}
	}
	text, err := os.ReadFile(filepath.Join(dist, "solo_linux_amd64.cdx.json"))
	if err != nil {
		t.Fatal(err)
	}
	var bill struct {
		Components []struct{ Name, Version, Purl string }
	}
	if err := json.Unmarshal(text, &bill); err != nil || len(bill.Components) < 30 {
		t.Errorf("the bill of materials: %v, %d parts", err, len(bill.Components))
	}
	t.Logf("soak: release: %s; the bill names %d parts", strings.Join(names, ", "), len(bill.Components))
}

// The script installs from the archive that it lies in, and from where releases lie, and refuses what is not whole.
func TestSoakInstallScript(t *testing.T) {
	dist := release(t)
	archive := filepath.Join(dist, "solo_linux_amd64.tar.gz")
	dir := t.TempDir()
	if out, err := exec.Command("tar", "-xzf", archive, "-C", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	here, err := filepath.Abs("../../scripts/install.sh")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(here)
	if err != nil {
		t.Fatal(err)
	}
	elsewhere := filepath.Join(t.TempDir(), "install.sh")        // neither in an archive nor in a checkout
	if err := os.WriteFile(elsewhere, text, 0o700); err != nil { //nolint:gosec // a program
		t.Fatal(err)
	}
	wrong := t.TempDir() // with sums of another archive
	for name, text := range map[string]string{"solo_linux_amd64.tar.gz": "not it", "checksums.txt": strings.Repeat("0", 64) + "  solo_linux_amd64.tar.gz\n"} {
		if err := os.WriteFile(filepath.Join(wrong, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, tt := range map[string]struct {
		script, releases string
		ok               bool
	}{
		"from its archive":    {filepath.Join(dir, "solo", "install.sh"), "file:///nowhere", true},
		"from a release":      {elsewhere, "file://" + dist, true},
		"of a wrong sum":      {elsewhere, "file://" + wrong, false},
		"of a missing server": {elsewhere, "file:///nowhere", false},
	} {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			run := func(program string, args ...string) (string, error) {
				cmd := exec.Command(program, args...)
				cmd.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "SOLO_RELEASES=" + tt.releases, "XDG_RUNTIME_DIR="}
				cmd.Stdin = nil // no person: setup only proposes
				out, err := cmd.CombinedOutput()
				return string(out), err
			}
			said, err := run(tt.script, "--autostart")
			bin := filepath.Join(home, ".local", "bin", "solo")
			if !tt.ok {
				if _, left := os.Stat(filepath.Join(home, ".local", "lib", "solo")); err == nil || left == nil {
					t.Errorf("it was installed: %v\n%s", err, said)
				}
				return
			}
			if err != nil {
				t.Fatalf("%v\n%s", err, said)
			}
			if out, err := run(bin, "doctor"); !strings.Contains(out, "ok       recogniser   pocketsphinx") {
				t.Errorf("%v\n%s", err, out)
			}
			if out, err := run(bin, "autostart", "status"); err != nil || !strings.Contains(out, "is started when you log in") {
				t.Errorf("%v: %s", err, out)
			}
			if out, err := run(tt.script, "--remove"); err != nil {
				t.Errorf("%v: %s", err, out)
			}
			if _, err := os.Lstat(bin); err == nil {
				t.Error("it is still there")
			}
		})
	}
	t.Log("soak: release: install.sh installs from its archive and from a release, and refuses one whose sum is wrong")
}

// root is a Debian with nothing in it but what every Debian has.
type root struct {
	t   *testing.T
	dir string
}

func newRoot(t *testing.T) *root {
	t.Helper()
	for _, need := range []string{"debootstrap", "chroot"} {
		if _, err := exec.LookPath(need); err != nil {
			t.Skip("skipped: no " + need)
		}
	}
	if os.Geteuid() != 0 {
		t.Skip("skipped: debootstrap wants to be root")
	}
	dir, err := os.MkdirTemp("", "solo-root-")
	if err == nil {
		err = os.Chmod(dir, 0o755) //nolint:gosec // others than root live in it
	}
	if err != nil {
		t.Fatal(err)
	}
	r := &root{t, dir}
	t.Cleanup(func() {
		_ = exec.Command("umount", filepath.Join(dir, "proc")).Run() // it may not be mounted
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	mirror, _ := exec.Command("bash", "-c", `apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2>/dev/null | grep -E '/debian/?$' | head -1`).Output()
	if len(bytes.TrimSpace(mirror)) == 0 {
		t.Skip("skipped: apt has no source of Debian")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	if out, err := exec.CommandContext(ctx, "debootstrap", "--variant=minbase", "bookworm", dir, strings.TrimSpace(string(mirror))).CombinedOutput(); err != nil {
		t.Skipf("skipped: debootstrap: %v: %s", err, out[max(0, len(out)-300):])
	}
	for _, conf := range []string{"/etc/resolv.conf", "/etc/hosts"} {
		if text, err := os.ReadFile(conf); err == nil {
			r.put(conf, text)
		}
	}
	own, _ := filepath.Glob("/etc/apt/apt.conf.d/*proxy*") // how this machine reaches its mirror
	for _, conf := range own {
		if text, err := os.ReadFile(conf); err == nil {
			r.put(conf, text)
		}
	}
	_ = exec.Command("mount", "-t", "proc", "proc", filepath.Join(dir, "proc")).Run() // where it may not, Solo goes without
	return r
}

func (r *root) put(name string, text []byte) {
	r.t.Helper()
	if err := os.WriteFile(filepath.Join(r.dir, name), text, 0o755); err != nil { //nolint:gosec // some are programs
		r.t.Fatal(err)
	}
}

// run runs a command line in the root, and says what came.
func (r *root) run(line string) (string, error) {
	ctx, cancel := context.WithTimeout(r.t.Context(), 4*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "chroot", r.dir, "/bin/sh", "-c", line)
	cmd.Env = []string{"PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root", "LC_ALL=C.UTF-8", "DEBIAN_FRONTEND=noninteractive",
		"http_proxy=" + os.Getenv("http_proxy"), "https_proxy=" + os.Getenv("https_proxy")}
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func (r *root) must(line string) string {
	r.t.Helper()
	out, err := r.run(line)
	if err != nil {
		r.t.Fatalf("%s: %v\n%s", line, err, out[max(0, len(out)-3000):])
	}
	return out
}

// In a clean Debian the archive runs with what lies beside it, and the package brings what it needs, hears itself and goes
// again without a trace.
func TestSoakDebian(t *testing.T) {
	dist := release(t)
	r := newRoot(t)
	archive, err := os.ReadFile(filepath.Join(dist, "solo_linux_amd64.tar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	r.put("/root/solo.tar.gz", archive)
	r.must("cd /root && tar -xzf solo.tar.gz && solo/solo version")
	if out, _ := r.run("/root/solo/solo doctor"); !strings.Contains(out, "ok       recogniser   pocketsphinx") || !strings.Contains(out, "ok       wake word    porcupine") {
		t.Errorf("the archive: %s", out)
	} else {
		t.Log("soak: release: the archive runs in a clean Debian 12 without one more package: wake word and recogniser are found")
	}
	r.must("rm -rf /root/solo /root/solo.tar.gz")

	debs, err := filepath.Glob(filepath.Join(dist, "*_amd64.deb"))
	if err != nil || len(debs) != 1 {
		t.Fatal(debs, err)
	}
	deb, err := os.ReadFile(debs[0])
	if err != nil {
		t.Fatal(err)
	}
	r.put("/root/solo.deb", deb)
	r.must("apt-get update -qq")
	before := r.must("dpkg-query -W | wc -l")
	r.must("apt-get install -y -qq --no-install-recommends /root/solo.deb")
	after := r.must("dpkg-query -W | wc -l")
	r.must("useradd --create-home ann")
	as := func(line string) (string, error) { return r.run("runuser -u ann -- env HOME=/home/ann " + line) }
	if out, err := as("solo version"); err != nil || !strings.Contains(out, "sphinx cgo") {
		t.Errorf("solo version: %v: %s", err, out)
	}
	if out, err := as("solo doctor"); err != nil {
		t.Errorf("solo doctor: %v: %s", err, out)
	}
	out, err := as("solo run --check")
	if err != nil || !strings.Contains(out, "what time is it") {
		t.Errorf("solo run --check: %v: %s", err, out)
	}
	t.Logf("soak: release: the package installs in a clean Debian 12 (%s packages before, %s after); solo version, doctor and run --check work: %q",
		strings.TrimSpace(before), strings.TrimSpace(after), answer(out))
	if out, err := r.run("cat /usr/lib/systemd/system/solo.service >/dev/null && test -s /usr/share/doc/solo-assistant/copyright && ls /usr/share/doc/solo-assistant/licences | wc -l"); err != nil {
		t.Errorf("unit and notices: %v: %s", err, out)
	}
	r.must("apt-get purge -y -qq solo-assistant")
	if out, err := r.run("test ! -e /usr/bin/solo && test ! -e /usr/share/doc/solo-assistant"); err != nil {
		t.Errorf("something is left: %s", out)
	}
}

// answer is the line in which Solo answered.
func answer(out string) string {
	for line := range strings.Lines(out) {
		if text, ok := strings.CutPrefix(line, "solo: "); ok {
			return strings.TrimSpace(text)
		}
	}
	return ""
}

// The unit gives a service of the system few rights; systemd-analyze is the judge.
func TestServiceIsHardened(t *testing.T) {
	judge, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("skipped: no systemd-analyze")
	}
	path := "../../scripts/deb/solo.service"
	if out, err := exec.Command(judge, "verify", path).CombinedOutput(); strings.Contains(string(out), "Unknown") || strings.Contains(string(out), "Failed to parse") {
		t.Errorf("%v: %s", err, out)
	}
	out, err := exec.Command(judge, "security", "--offline=true", "--threshold=20", path).CombinedOutput()
	_, verdict, found := strings.Cut(string(out), "Overall exposure level for ")
	if !found {
		t.Skipf("skipped: this systemd-analyze judges no files: %s", out)
	}
	if err != nil {
		t.Errorf("%v: %s", err, verdict)
	}
	t.Logf("soak: service: systemd-analyze security: %s", strings.TrimSpace(verdict))
}
