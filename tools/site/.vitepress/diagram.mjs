// The forge draws blocks of mermaid; here theme/Diagram.vue does.
export function drawDiagrams(md) {
  const fence = md.renderer.rules.fence
  md.renderer.rules.fence = (tokens, i, ...rest) =>
    tokens[i].info === 'mermaid' ? `<Diagram code="${encodeURIComponent(tokens[i].content)}" />` : fence(tokens, i, ...rest)
}
