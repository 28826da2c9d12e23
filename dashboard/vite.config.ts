import { defineConfig } from "vite";

// The door serves "/" and "/assets/*" alone, lets no inline script run, and keeps what lies in assets for ever by its name.
export default defineConfig({
  base: "/",
  publicDir: false,
  esbuild: { jsx: "automatic", jsxImportSource: "preact", legalComments: "none" },
  build: {
    outDir: "dist/page",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    modulePreload: false,
    target: "es2022",
    reportCompressedSize: true,
  },
  worker: { format: "es" },
});
