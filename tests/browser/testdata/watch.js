// Keeps what the tests look at: what the page's policy forbade, and the sound that the page is given to play.
window.soloTest = { violations: [], played: [] };
document.addEventListener("securitypolicyviolation", (e) => window.soloTest.violations.push(`${e.violatedDirective}: ${e.blockedURI} ${e.sample}`));
if (window.AudioWorkletNode) {
  window.AudioWorkletNode = class extends window.AudioWorkletNode {
    constructor(context, name, options) {
      super(context, name, options);
      if (name !== "loudspeaker") return;
      const post = this.port.postMessage.bind(this.port);
      this.port.postMessage = (message, transfer) => {
        if (message instanceof ArrayBuffer) window.soloTest.played.push({ at: performance.now(), pcm: new Int16Array(message.slice(0)) });
        post(message, transfer);
      };
    }
  };
}
