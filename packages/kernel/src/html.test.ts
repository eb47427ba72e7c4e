import { html, page, trusted } from './html.ts';

describe('html', () => {
  it('escapes texts in content and in attributes', () => {
    const attack = `"><script>alert('x')</script>&`;
    const { text } = html`<a href="${attack}">${attack}</a>`;
    expect(text).not.toContain('<script');
    expect(text.match(/"/g)).toHaveLength(2);
  });

  it('leaves HTML as it is, joins lists and leaves out null', () => {
    const items = ['a', '<b>'].map((item) => html`<li>${item}</li>`);
    expect(html`<ul>${items}</ul>${null}${trusted('<hr>')}${0}`.text).toBe(
      '<ul><li>a</li>\n<li>&#60;b&#62;</li></ul><hr>0',
    );
  });
});

describe('page', () => {
  it('loads nothing from anywhere', () => {
    const text = page('Title <1>', html`<p>Hello</p>`);
    expect(text).toContain('<title>Title &#60;1&#62;</title>');
    expect(text).not.toMatch(/https?:|<script|url\(/);
  });
});
