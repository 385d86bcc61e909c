// Links of a page to files outside docs lead to the forge. Links between pages stay, and VitePress fails the build if one is dead.
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const forge = 'https://github.com/argo-why/argo-why'
export const root = fileURLToPath(new URL('../../..', import.meta.url))

export function linkToForge(md) {
  md.core.ruler.push('link_to_forge', (state) => {
    for (const token of state.tokens) {
      for (const child of token.children ?? []) {
        if (child.type === 'link_open') {
          child.attrSet('href', target(child.attrGet('href'), state.env.path))
        }
      }
    }
  })
}

// target is where a link of a page leads on the site.
function target(href, page) {
  const [file, anchor] = href.split('#')
  if (/^[a-z]+:/.test(href) || file === '') return href
  const full = path.resolve(path.dirname(page), decodeURIComponent(file))
  const inside = path.relative(path.join(root, 'docs'), full)
  const hash = anchor === undefined ? '' : '#' + anchor
  if (inside.startsWith('..') || !inside.endsWith('.md')) {
    const kind = fs.statSync(full).isDirectory() ? 'tree' : 'blob' // throws if there is no such file
    return `${forge}/${kind}/main/${path.relative(root, full)}${hash}`
  }
  return file.replace(/README\.md$/, 'index.md') + hash
}
