import { defineConfig } from 'vitepress'
export default defineConfig({
  srcDir: '../../docs', outDir: '../../bin/site', base: '/argo-why/', title: 'argo-why', cleanUrls: false,
  rewrites: { 'README.md': 'index.md', 'adr/README.md': 'adr/index.md' },
})
