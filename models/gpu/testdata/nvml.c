// A stand-in for the NVIDIA driver's library: what is built is chosen by -D.
#include <stdint.h>
#include <string.h>
#ifndef CARDS
#define CARDS 2
#endif
#ifndef INIT
#define INIT 0
#endif
#ifndef MEMORY
#define MEMORY 0
#endif
#ifndef REST
#define REST 0
#endif
#ifndef LOCKED
#define LOCKED -1
#endif
typedef struct { unsigned long long total, free, used; } mem;
typedef struct { unsigned int gpu, memory; } load;
typedef struct { unsigned int pid; unsigned long long used; unsigned int gi, ci; } proc;
static int alive;
int nvmlInit_v2(void) { if (INIT == 0) alive++; return INIT; }
int nvmlShutdown(void) { alive--; return 0; }
const char *nvmlErrorString(int code) { return code == 9 ? "Driver Not Loaded" : code == 18 ? "Driver/library version mismatch" : code == 4 ? "Insufficient Permissions" : "Unknown Error"; }
int nvmlDeviceGetCount_v2(unsigned int *n) { if (alive != 1) return 1; *n = CARDS; return 0; }
int nvmlDeviceGetHandleByIndex_v2(unsigned int i, void **d) { if ((int)i == LOCKED || LOCKED == 99) return 4; *d = (void *)(uintptr_t)(i + 1); return 0; }
int nvmlDeviceGetName(void *d, char *s, unsigned int n) { strncpy(s, (uintptr_t)d == 1 ? "NVIDIA Test 24G" : "NVIDIA Test 8G", n); return 0; }
int nvmlDeviceGetUUID(void *d, char *s, unsigned int n) { strncpy(s, (uintptr_t)d == 1 ? "GPU-one" : "GPU-two", n); return 0; }
#ifndef NOMEMORY
int nvmlDeviceGetMemoryInfo(void *d, mem *m) {
  unsigned long long g = (uintptr_t)d == 1 ? 24 : 8;
  m->total = g << 30; m->free = (g - 2) << 30; m->used = 2ull << 30; return MEMORY;
}
#endif
int nvmlDeviceGetUtilizationRates(void *d, load *l) { l->gpu = 40 + (uintptr_t)d; l->memory = 5; return REST; }
int nvmlDeviceGetTemperature(void *d, unsigned int sensor, unsigned int *c) { if (sensor) return 2; *c = 60 + (uintptr_t)d; return REST; }
#ifndef OLD
int nvmlDeviceGetPowerUsage(void *d, unsigned int *mw) { *mw = 123456; return REST; }
int nvmlDeviceGetComputeRunningProcesses_v3(void *d, unsigned int *n, proc *p) {
  unsigned int many = (uintptr_t)d == 1 ? 3 : 100; // the second needs a larger list
  if (*n < many) { *n = many; return 7; }
  for (unsigned int i = 0; i < many; i++) { p[i].pid = 1000 + i; p[i].used = i == 2 ? ~0ull : (i + 1ull) << 20; p[i].gi = p[i].ci = ~0u; }
  *n = many; return REST;
}
int nvmlDeviceGetGraphicsRunningProcesses_v3(void *d, unsigned int *n, proc *p) {
  *n = 2; p[0].pid = 1000; p[0].used = 5 << 20; p[1].pid = 7; p[1].used = 9 << 20; return REST;
}
#endif
