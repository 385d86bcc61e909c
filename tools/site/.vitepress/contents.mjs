// docs/README.md is the table of contents: each of its sections is one of the sidebar, each item with a link a page.
import fs from 'node:fs'
import path from 'node:path'
import { root } from './forge.mjs'

const item = /^- \[(.+?)\]\((.+?)\.md\)/
const decision = /^\| \[\d+\]\((.+?)\.md\) \| (.+?) \|/

export function sidebar() {
  const sections = []
  for (const line of lines('README.md')) {
    if (line.startsWith('## ')) sections.push({ text: line.slice(3), items: [] })
    const [, text, page] = item.exec(line) ?? []
    if (page === 'adr/README') {
      sections.at(-1).items.push({ text, link: '/adr/', collapsed: true, items: decisions() })
    } else if (page) {
      sections.at(-1).items.push({ text, link: '/' + page })
    }
  }
  return sections
}

function decisions() {
  return lines('adr/README.md').map((line) => decision.exec(line)).filter(Boolean).map(([, page, text]) => ({ text, link: '/adr/' + page }))
}

function lines(page) {
  return fs.readFileSync(path.join(root, 'docs', page), 'utf8').split('\n')
}

// landing gives the first page its head. Not in the page itself, because the forge would show it as a table.
export function landing(page) {
  if (page.relativePath !== 'index.md') return
  page.frontmatter.layout = 'home'
  page.title = 'Why Argo CD applications fail, in Slack'
  page.frontmatter.hero = {
    name: 'argo-why',
    text: 'Why is it failing?',
    tagline: 'Tells you in Slack why an Argo CD application is failing, with the evidence, and lets the on-call engineer fix it from the same thread.',
    actions: [
      { text: 'Install', link: '/install', theme: 'brand' },
      { text: 'Try the demo', link: '/demo', theme: 'alt' },
    ],
  }
}

// headedByHero leaves out the heading of the first page, which its head repeats.
export function headedByHero(md) {
  md.core.ruler.push('headed_by_hero', (state) => {
    if (state.env.relativePath === 'index.md') state.tokens.splice(0, state.tokens.findIndex((t) => t.type === 'heading_close') + 1)
  })
}
