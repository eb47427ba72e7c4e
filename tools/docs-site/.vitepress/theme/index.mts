import theme from 'vitepress/theme-without-fonts';
import MermaidDiagram from './MermaidDiagram.vue';

export default {
  extends: theme,
  enhanceApp: ({ app }) => {
    app.component('MermaidDiagram', MermaidDiagram);
  },
} satisfies import('vitepress').Theme;
