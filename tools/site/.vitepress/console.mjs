// The button that copies a block leaves out what VitePress marks with this class. Of a terminal it copies the commands, and neither
// prompts nor output.
const left = 'vp-copy-ignore'

export const copyCommandsOnly = {
  name: 'copy-commands-only',
  preprocess(code, options) {
    this.continued = false
    this.terminal = options.lang === 'console'
  },
  line(node) {
    if (!this.terminal) return
    const text = textOf(node)
    const prompt = /^\s*\$ /.exec(text)?.[0] ?? ''
    if (prompt) node.children = split(node.children, prompt.length)
    else if (!this.continued) this.addClassToHast(node, left)
    this.continued = (prompt || this.continued) && text.endsWith('\\')
  },
}

function textOf(node) {
  return node.value ?? (node.children ?? []).map(textOf).join('')
}

// split puts the first characters of a line into a span of their own.
function split(spans, length) {
  const prompt = { type: 'element', tagName: 'span', properties: { class: `${left} prompt` }, children: [] }
  const rest = []
  for (const span of spans) {
    const text = textOf(span)
    prompt.children.push({ ...span, children: [{ type: 'text', value: text.slice(0, length) }] })
    if (text.length > length) rest.push({ ...span, children: [{ type: 'text', value: text.slice(length) }] })
    length = Math.max(0, length - text.length)
  }
  return [prompt, ...rest]
}
