import DOMPurify from 'dompurify'

type PropertyValue = boolean | number | string | null | undefined | (number | string)[]

/** A node of the syntax tree, for input and output. HTML is contained as `raw` nodes, one for each tag. */
interface TreeNode {
  type: string
  value?: string
  tagName?: string
  properties?: Record<string, PropertyValue>
  children?: TreeNode[]
}

/**
 * A rehype plugin that converts HTML inside Markdown to elements, without anything executable. A start tag
 * and its end tag are separate nodes, so the whole tree is serialised and parsed again.
 */
export function cleanHtml() {
  return (tree: TreeNode): void => {
    if (!hasRaw(tree)) return
    const html = (tree.children ?? []).map(printed).join('')
    const clean = DOMPurify.sanitize(html, { RETURN_DOM_FRAGMENT: true })
    tree.children = [...clean.childNodes].flatMap(read)
  }
}

function hasRaw(node: TreeNode): boolean {
  return node.type === 'raw' || (node.children?.some(hasRaw) ?? false)
}

const VOID: ReadonlySet<string> = new Set(['br', 'hr', 'img', 'input'])

function printed(node: TreeNode): string {
  if (node.type === 'raw') return node.value ?? ''
  if (node.type === 'text') return escaped(node.value ?? '')
  if (node.tagName === undefined) return ''
  const opening = `<${node.tagName}${Object.entries(node.properties ?? {})
    .map(attribute)
    .join('')}>`
  if (VOID.has(node.tagName)) return opening
  return `${opening}${(node.children ?? []).map(printed).join('')}</${node.tagName}>`
}

function attribute([property, value]: readonly [string, PropertyValue]): string {
  if (value === undefined || value === null || value === false) return ''
  const name = attributeName(property)
  if (value === true) return ` ${name}=""`
  return ` ${name}="${escaped(Array.isArray(value) ? value.join(' ') : String(value))}"`
}

/** `className` is `class`, `ariaLabel` is `aria-label`, `dataFootnoteRef` is `data-footnote-ref`. */
function attributeName(property: string): string {
  if (property === 'className') return 'class'
  if (!/^(?:aria|data)[A-Z]/.test(property)) return property.toLowerCase()
  return property.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

/** Attributes that are true when present. React would read their empty value as false. */
const FLAGS: ReadonlySet<string> = new Set(
  'checked controls disabled hidden loop multiple muted open playsinline readonly required reversed selected'.split(
    ' ',
  ),
)

function read(node: Node): readonly TreeNode[] {
  if (node instanceof Text) return [{ type: 'text', value: node.data }]
  if (!(node instanceof Element)) return []
  const properties = Object.fromEntries(
    [...node.attributes].map(({ name, value }) => [name, FLAGS.has(name) || value]),
  )
  const children = [...node.childNodes].flatMap(read)
  return [{ type: 'element', tagName: node.localName, properties, children }]
}
