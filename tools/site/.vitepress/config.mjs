// The site is docs as it is, in the order of docs/README.md. What follows makes the same Markdown work here and on the forge.
import { slug } from 'github-slugger'
import { defineConfig } from 'vitepress'
import { copyCommandsOnly } from './console.mjs'
import { forge, linkToForge } from './forge.mjs'
import { headedByHero, landing, sidebar } from './contents.mjs'
import { drawDiagrams } from './diagram.mjs'

// Pages are outside of this folder, so the program that renders them would not find Vue beside them.
const vueOfThisFolder = {
  name: 'vue-of-this-folder',
  enforce: 'pre',
  resolveId: (id, _, { ssr }) => (ssr && /^vue(\/|$)/.test(id) ? { id, external: true } : null),
}

export default defineConfig({
  title: 'argo-why',
  description: 'Tells you in Slack why an Argo CD application is failing, and lets the on-call engineer fix it from the same thread.',
  lang: 'en',
  srcDir: '../../docs',
  outDir: '../../bin/site',
  base: '/argo-why/', // https://argo-why.github.io/argo-why/
  // The forge shows README.md when somebody opens a folder.
  rewrites: { 'README.md': 'index.md', 'adr/README.md': 'adr/index.md' },
  head: [['link', { rel: 'icon', href: "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 100 100'><text y='.9em' font-size='90'>🔴</text></svg>" }]],
  markdown: {
    anchor: { slugify: slug }, // the forge's anchors, because links in docs use them
    codeTransformers: [copyCommandsOnly],
    config: (md) => { linkToForge(md); headedByHero(md); drawDiagrams(md) },
  },
  transformPageData: landing,
  vite: { plugins: [vueOfThisFolder], build: { chunkSizeWarningLimit: 1000 } },
  themeConfig: {
    search: { provider: 'local' },
    sidebar: sidebar(),
    nav: [
      { text: 'Install', link: '/install' },
      { text: 'Configuration', link: '/configuration' },
      { text: 'Operations', link: '/operations' },
      { text: 'Troubleshooting', link: '/troubleshooting' },
    ],
    outline: { level: [2, 3] },
    socialLinks: [{ icon: 'github', link: forge }],
    editLink: { pattern: `${forge}/edit/main/docs/:path`, text: 'Edit this page' },
  },
})
