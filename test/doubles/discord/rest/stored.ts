import { asList, asObj, type Obj } from '../../json.ts';

/** What Discord fills in where an app left it out. Containers, separators and selects have such members. */
const DEFAULTS: Readonly<Record<number, Obj>> = {
  3: { min_values: 1, max_values: 1 },
  13: { spoiler: false },
  14: { divider: true, spacing: 1 },
  17: { accent_color: null, spoiler: false },
};

/** Components as Discord keeps and returns them: each with an id of its own, in reading order, and with defaults. */
export function storedComponents(components: readonly Obj[]): readonly Obj[] {
  let last = 0;
  const store = (one: Obj): Obj => {
    last += 1;
    const id = typeof one['id'] === 'number' && one['id'] > 0 ? one['id'] : last;
    const given = Object.fromEntries(Object.entries(one).filter(([, value]) => value !== null));
    const inner = asList(one['components']).map((each) => store(asObj(each)));
    return {
      ...DEFAULTS[Number(one['type'])],
      ...given,
      id,
      ...(inner.length > 0 ? { components: inner } : {}),
      ...(one['accessory'] ? { accessory: store(asObj(one['accessory'])) } : {}),
    };
  };
  return components.map(store);
}
