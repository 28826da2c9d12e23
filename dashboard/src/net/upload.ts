import { away, faultFrom } from "./ask";

// upload sends one file and tells how far it is, 0 to 1. fetch cannot tell that.
export function upload(path: string, file: File, far: (share: number) => void): Promise<void> {
  return new Promise((done, fail) => {
    const request = new XMLHttpRequest();
    const form = new FormData();
    form.append("file", file);
    request.upload.onprogress = (e) => e.lengthComputable && far(e.loaded / e.total);
    request.onerror = () => fail(away());
    request.onload = () => (request.status < 300 ? done() : fail(faultFrom(request.status, jsonOf(request.responseText))));
    request.open("POST", path);
    request.send(form);
  });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
