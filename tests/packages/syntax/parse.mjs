// Parses the files that are named and prints one object a file: with its errors, and what it holds. PowerShell by
// tree-sitter, Dockerfiles and YAML by parsers of their own.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, extname } from 'node:path'

const require = createRequire(import.meta.url)

async function powershell(text) {
  const { Language, Parser } = await import('web-tree-sitter')
  await Parser.init()
  const parser = new Parser()
  parser.setLanguage(await Language.load(require.resolve('tree-sitter-powershell/tree-sitter-powershell.wasm')))
  const root = parser.parse(text).rootNode
  const errors = []
  const look = (node) => {
    if (node.isError || node.isMissing) {
      errors.push({ line: node.startPosition.row + 1, column: node.startPosition.column + 1, what: node.isMissing ? 'missing ' + node.type : node.text.slice(0, 60) })
    }
    for (const child of node.children) if (child) look(child)
  }
  if (root.hasError) look(root)
  return { errors, commands: root.descendantsOfType('command').map((c) => c.text.split(/\s/)[0]) }
}

function dockerfile(text) {
  const { validate } = require('dockerfile-utils')
  return { errors: validate(text).map((d) => ({ line: d.range.start.line + 1, column: d.range.start.character + 1, what: d.message })) }
}

function yaml(text) {
  const { parseDocument } = require('yaml')
  const doc = parseDocument(text, { strict: true, uniqueKeys: true })
  const errors = [...doc.errors, ...doc.warnings].map((e) => ({ line: e.linePos?.[0].line ?? 0, column: e.linePos?.[0].col ?? 0, what: e.message }))
  return { errors, data: doc.toJS() }
}

for (const file of process.argv.slice(2)) {
  const text = readFileSync(file, 'utf8')
  const parse = basename(file).startsWith('Dockerfile') ? dockerfile : extname(file) === '.ps1' ? powershell : yaml
  console.log(JSON.stringify({ file, ...(await parse(text)) }))
}
