// Proves that imports, public symbols, docs and entry points are read in each language; fails when a grammar or walker loses one.
import { expect, test } from 'vitest'
import { read, exported, imported } from '../support/facts.ts'

test('Java: package, static imports, Javadoc, main', async () => {
  const facts = await read(
    'src/main/java/org/shop/App.java',
    `/* Copyright 2020 */
package org.shop;
import java.util.List;
import static org.shop.text.Names.join;
import org.shop.model.*;
/** The {@link App} itself. <p>More. */
public final class App {
  /** Starts. */
  public static void main(String[] args) { new Helper(); }
  private int x() { return 1; }
}
`,
  )
  expect(facts).toMatchObject({ namespace: 'org.shop', doc: 'The `App` itself. More.' })
  expect(imported(facts)).toEqual([
    'load java.util.List',
    'load org.shop.text.Names.join',
    'load org.shop.model.*',
  ])
  expect(exported(facts)).toEqual(['class App', 'method App.main'])
  expect(facts.words).toContain('Helper')
  expect(facts.entry).toBe('`public static void main`')
})

test('Java: members are public only of public types', async () => {
  const facts = await read(
    'src/main/java/org/shop/Hidden.java',
    `package org.shop;
class Hidden {
  public void work() {}
  public static class Inner { public void turn() {} }
}
public class Open {
  static class Near { public void stay() {} }
  protected static class Heir { public void go() {} }
  interface Quiet { void none(); }
}
public interface Port { class Plug { public void fit() {} } void call(); }
`,
  )
  expect(exported(facts)).toEqual([
    'class Open',
    'class Open.Heir',
    'method Heir.go',
    'interface Port',
    'class Port.Plug',
    'method Plug.fit',
    'method Port.call',
  ])
})

test('C#: file-scoped namespace, XML docs, top-level and static Main', async () => {
  const facts = await read(
    'src/Log.cs',
    `using System;
using Shop.Events;
namespace Shop.Core;
/// <summary>Writes <see cref="LogEvent"/>s.</summary>
public sealed class Log : ILog {
  public void Write(LogEvent e) {}
  internal void Quiet() {}
  static int Main() => 0;
}
public enum Level { Low }
`,
  )
  expect(facts.namespace).toBe('Shop.Core')
  expect(exported(facts)).toEqual(['class Log', 'method Log.Write', 'enum Level'])
  expect(facts.symbols[0]?.doc).toBe('Writes `LogEvent`s.')
  expect(facts.words).toContain('LogEvent')
  expect(facts.entry).toBe('`static Main`')
})

test('C#: members of a nested type are public only where it is', async () => {
  const facts = await read(
    'src/Map.cs',
    `namespace Shop;
public static class Map {
  private class ByName { public int Compare() => 1; }
  internal readonly struct Entry { public override string ToString() => ""; }
  public class Row { public int Get() => 1; private class Cell { public int Read() => 1; } }
}
internal class Hidden { public class Inner { public int Turn() => 1; } }
public interface IShelf { class Plug { public void Fit() { } } }
`,
  )
  expect(exported(facts)).toEqual([
    'class Map',
    'class Map.Row',
    'method Row.Get',
    'interface IShelf',
    'class IShelf.Plug',
    'method Plug.Fit',
  ])
})

test('C++: include guards, export macros, namespaces, templates', async () => {
  const facts = await read(
    'include/db.h',
    `// Copyright (c) 2011 The Authors.

#ifndef DB_H
#define DB_H
#include <vector>
#include "slice.h"
namespace store {
// A database.
class DB_EXPORT DB {
 public:
  // Opens it.
  static Status Open(const Options& options);
 private:
  int Hidden();
};
template <class T> struct Box { T value; };
Status Destroy(const Options& options);
static int quiet() { return 0; }
}
#endif
`,
  )
  expect(imported(facts)).toEqual(['load <vector>', 'load slice.h'])
  expect(exported(facts)).toEqual(['class DB', 'method DB.Open', 'struct Box', 'function Destroy'])
  expect(facts.symbols[0]).toMatchObject({ doc: 'A database.', from: 8, line: 9 })
})

test('Ruby: nested names, private, autoload, requires', async () => {
  const facts = await read(
    'lib/shop/cart.rb',
    `# frozen_string_literal: true

require 'json'
require_relative 'item'
module Shop
  # Holds items.
  class Cart
    autoload :Row, 'shop/row'
    def add(item); end
    def self.open; end
    private
    def quiet; end
  end
end
`,
  )
  expect(imported(facts)).toEqual(['load json', 'load ./item', 'lazy shop/row'])
  expect(exported(facts)).toEqual(['class Shop::Cart', 'method Shop::Cart.add', 'method Shop::Cart.open'])
  expect(facts.symbols[0]?.doc).toBe('Holds items.')
})

test('PHP: grouped use, requires, visibility', async () => {
  const facts = await read(
    'src/Client.php',
    `<?php
namespace Shop\\Http;
use Psr\\Log\\LoggerInterface;
use Shop\\Model\\{Order, Item as Row};
require_once __DIR__ . '/functions.php';
/**
 * Sends requests.
 */
final class Client implements ClientInterface {
  public function send(): Response { return new Response(); }
  private function quiet() {}
}
`,
  )
  expect(facts).toMatchObject({ namespace: 'Shop\\Http' })
  expect(imported(facts)).toEqual([
    'load Psr\\Log\\LoggerInterface',
    'load Shop\\Model\\Order',
    'load Shop\\Model\\Item',
    'load ./functions.php',
  ])
  expect(exported(facts)).toEqual(['class Client', 'method Client.send'])
  expect(facts.words).toContain('Response')
})
