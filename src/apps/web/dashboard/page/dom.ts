// What is shown as plain data, and the few steps that make the page's elements say the same. Elements stay where
// they are as long as they mean the same, so that focus, selection and scrolling survive every change.

type Handler = (event: never) => void

export interface Properties {
  readonly key?: string
  readonly class?: string | undefined
  /** From the server, which made it harmless; set only when it is another than before. */
  readonly html?: string
  /** Custom properties and the like; a policy forbids styles in attributes. */
  readonly style?: Readonly<Record<string, string>>
  readonly [name: string]: unknown
}

export interface Shown {
  readonly tag: string
  readonly properties: Properties
  readonly children: readonly (Shown | string)[]
}

export type Child = Shown | string | number | false | null | undefined | readonly Child[]

/** One element, to be. */
export function h(tag: string, properties: Properties = {}, ...children: readonly Child[]): Shown {
  return { tag, properties, children: flat(children) }
}

function flat(children: readonly Child[]): (Shown | string)[] {
  return children.flatMap((child): (Shown | string)[] => {
    if (child === null || child === undefined || child === false || child === '') return []
    if (typeof child === 'number') return [String(child)]
    if (typeof child === 'string') return [child]
    return 'tag' in child ? [child as Shown] : flat(child as readonly Child[])
  })
}

const drawn = new WeakMap<Node, Shown>()

/** Makes an element's children what they are to be. */
export function patch(parent: Element, children: readonly (Shown | string)[]): void {
  const wanted = new Map(
    children.flatMap((child) => (typeof child === 'string' ? [] : [[child.properties.key, child.tag]])),
  )
  const keyed = new Map<string, Element>()
  for (const child of [...parent.childNodes]) {
    const key = keyOf(child)
    if (key === undefined) continue
    // what goes would be in the way of all that stays behind it
    if (wanted.get(key) === drawn.get(child)?.tag) keyed.set(key, child as Element)
    else child.remove()
  }
  let here: ChildNode | null = parent.firstChild
  for (const child of children) {
    if (typeof child === 'string') {
      if (here?.nodeType === 3) {
        if (here.nodeValue !== child) here.nodeValue = child
        here = here.nextSibling
      } else parent.insertBefore(document.createTextNode(child), here)
      continue
    }
    const { key } = child.properties
    const same = key === undefined ? unkeyed(here, child.tag) : keyed.get(key)
    if (same !== undefined) {
      // one that moves further down is put there when its turn comes, so that nothing else moves
      if (same === here?.nextSibling && keyOf(here) !== undefined) here = same
      if (same === here) here = here.nextSibling
      else parent.insertBefore(same, here)
      update(same, child)
    } else parent.insertBefore(create(child), here)
  }
  while (here !== null) {
    const next: ChildNode | null = here.nextSibling
    here.remove()
    here = next
  }
}

function keyOf(node: Node): string | undefined {
  return drawn.get(node)?.properties.key
}

function unkeyed(node: ChildNode | null, tag: string): Element | undefined {
  const shown = node === null ? undefined : drawn.get(node)
  return shown?.tag === tag && shown.properties.key === undefined ? (node as Element) : undefined
}

function create(shown: Shown): Element {
  const element = document.createElement(shown.tag)
  update(element, shown)
  return element
}

function update(element: Element, shown: Shown): void {
  const before = drawn.get(element)
  if (before === shown) return
  drawn.set(element, shown)
  const old = before?.properties ?? {}
  for (const name of new Set([...Object.keys(old), ...Object.keys(shown.properties)]))
    if (old[name] !== shown.properties[name]) set(element as HTMLElement, name, shown.properties[name])
  if (shown.properties.html === undefined) patch(element, shown.children)
}

function set(element: HTMLElement, name: string, value: unknown): void {
  if (name === 'key') return
  if (name === 'html') element.innerHTML = typeof value === 'string' ? value : ''
  else if (name === 'style') {
    for (const [property, text] of Object.entries((value ?? {}) as Record<string, string>))
      element.style.setProperty(property, text)
  } else if (name.startsWith('on'))
    (element as unknown as Record<string, Handler | null>)[name] = (value ?? null) as Handler | null
  else if (name === 'value') (element as HTMLInputElement).value = String(value ?? '')
  else if (value === undefined || value === false || value === null) element.removeAttribute(name)
  else element.setAttribute(name, value === true ? '' : String(value))
}
