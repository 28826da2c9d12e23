// Parses the PowerShell files that are named and prints one object a file, with its errors.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Language, Parser } from 'web-tree-sitter'

const wasm = createRequire(import.meta.url).resolve('tree-sitter-powershell/tree-sitter-powershell.wasm')
await Parser.init()
const parser = new Parser()
parser.setLanguage(await Language.load(wasm))

function errors(node, found = []) {
  if (node.isError || node.isMissing) {
    found.push({ line: node.startPosition.row + 1, column: node.startPosition.column + 1, what: node.isMissing ? 'missing ' + node.type : node.text.slice(0, 60) })
  }
  for (const child of node.children) if (child) errors(child, found)
  return found
}

for (const file of process.argv.slice(2)) {
  const root = parser.parse(readFileSync(file, 'utf8')).rootNode
  const commands = root.descendantsOfType('command').map((c) => c.text.split(/\s/)[0])
  console.log(JSON.stringify({ file, errors: root.hasError ? errors(root) : [], commands }))
}
