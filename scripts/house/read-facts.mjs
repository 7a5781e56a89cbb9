// What the measures and rules need to know of one source file: its imports and the names it declares.
import { parseSync } from 'oxc-parser'

/**
 * @typedef {object} Declaration
 * @property {string} name
 * @property {'function' | 'type' | 'value' | 'local'} kind a class is a type, a parameter a local
 * @property {boolean} isExported
 * @property {number} line counted from 1
 * @property {boolean} [returnsNumber] of a function whose annotated result is a number
 */

/** @typedef {{ path: string, lines: number, imports: string[], declarations: Declaration[] }} FileFacts */

/**
 * Reads the declarations of the module itself, and those inside functions too if `withLocals`, which takes longer.
 * @param {string} path
 * @param {string} text
 * @returns {FileFacts}
 */
export function readFacts(path, text, { withLocals = false } = {}) {
  const { program, module, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path}: ${errors[0].message}`)
  const lineAt = createLineCounter(text)
  const exported = readExportedNames(module)
  const declarations = []
  const declare = ({ name, start }, kind, isTop, extra) => {
    declarations.push({ name, kind, isExported: isTop && exported.has(name), line: lineAt(start), ...extra })
  }
  visit(program, true, { declare, withLocals })
  return { path, lines: text.split('\n').length - 1, imports: readImports(module), declarations }
}

function readExportedNames({ staticExports }) {
  const names = new Set()
  for (const { entries } of staticExports)
    for (const { moduleRequest, localName } of entries)
      if (!moduleRequest && localName.name) names.add(localName.name)
  return names
}

function readImports({ staticImports, staticExports }) {
  const entries = staticExports.flatMap((statement) => statement.entries)
  const requests = [...staticImports, ...entries].map(({ moduleRequest }) => moduleRequest?.value)
  return [...new Set(requests.filter((request) => request !== undefined && request !== null))]
}

/** Statements whose children are declarations of the module too. */
const TOP_LEVEL = new Set([
  'Program',
  'ExportNamedDeclaration',
  'ExportDefaultDeclaration',
  'VariableDeclaration',
])

/** Reports every declaration below `node`. `isTop` says that `node` belongs to the module itself. */
function visit(node, isTop, context) {
  if (Array.isArray(node)) {
    for (const child of node) visit(child, isTop, context)
    return
  }
  if (node === null || typeof node !== 'object' || typeof node.type !== 'string') return
  HANDLERS[node.type]?.(node, isTop, context.declare)
  const staysTop = isTop && TOP_LEVEL.has(node.type)
  if (!staysTop && !context.withLocals) return
  for (const key in node) {
    const child = node[key]
    if (child !== null && typeof child === 'object') visit(child, staysTop, context)
  }
}

function declareType({ id }, isTop, declare) {
  if (id) declare(id, 'type', isTop)
}

function declareFunction(node, isTop, declare) {
  if (node.id) declare(node.id, 'function', isTop, { returnsNumber: isNumeric(node.returnType) })
  declareParameters(node, isTop, declare)
}

function declareParameters({ params }, _, declare) {
  for (const parameter of params ?? []) forEachName(parameter, (id) => declare(id, 'local', false))
}

function declareVariable({ id, init }, isTop, declare) {
  if (id.type === 'Identifier' && isFunctionValue(init))
    declare(id, 'function', isTop, { returnsNumber: isNumeric(init.returnType) })
  else forEachName(id, (name) => declare(name, isTop ? 'value' : 'local', isTop))
}

const HANDLERS = {
  FunctionDeclaration: declareFunction,
  FunctionExpression: declareParameters,
  ArrowFunctionExpression: declareParameters,
  ClassDeclaration: declareType,
  TSInterfaceDeclaration: declareType,
  TSTypeAliasDeclaration: declareType,
  TSEnumDeclaration: declareType,
  VariableDeclarator: declareVariable,
}

/** The names that a pattern declares. A property that keeps its name (`{ left }`) was named where its type is. */
function forEachName(pattern, report) {
  switch (pattern?.type) {
    case 'Identifier':
      report(pattern)
      break
    case 'ObjectPattern':
      for (const property of pattern.properties)
        if (!property.shorthand) forEachName(property.value ?? property.argument, report)
      break
    case 'ArrayPattern':
      for (const element of pattern.elements) forEachName(element, report)
      break
    case 'AssignmentPattern':
      forEachName(pattern.left, report)
      break
    case 'RestElement':
      forEachName(pattern.argument, report)
      break
    case 'TSParameterProperty':
      forEachName(pattern.parameter, report)
      break
    default:
  }
}

function isFunctionValue(node) {
  return node?.type === 'ArrowFunctionExpression' || node?.type === 'FunctionExpression'
}

function isNumeric(annotation) {
  const type = annotation?.typeAnnotation?.type
  return type === 'TSNumberKeyword' || type === 'TSBigIntKeyword'
}

/** Returns a function from a position in `text` to its line. */
function createLineCounter(text) {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return (position) => {
    let low = 0
    let high = starts.length
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if (starts[middle] <= position) low = middle
      else high = middle
    }
    return low + 1
  }
}
