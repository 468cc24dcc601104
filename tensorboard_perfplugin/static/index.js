/* perfplugin: built from frontend/ by build.mjs. sources sha256 5fd7a66087bcda44bc4221819257739b00adb4bc2fb55786846ec94a098fbbf7 */
var __defProp = Object.defineProperty;
var __export = (target, all) => {
  for (var name in all)
    __defProp(target, name, { get: all[name], enumerable: !0 });
};

// node_modules/preact/dist/preact.mjs
var n, t, r, u, i, f, o, e, l, c, a, s, h = /* @__PURE__ */ Symbol.for("pv"), p = {}, y = [], v = /^m(i|n|o|s|text|space)$/, w = Array.isArray, d = y.slice, _ = Object.assign;
function g(n3) {
  n3 && n3.parentNode && n3.remove();
}
function m(r4, u3, i4, f6, o4) {
  var e3 = { type: r4, props: u3, key: i4, ref: f6, __k: null, __: null, __b: 0, __e: null, __c: null, constructor: h, __v: o4 || ++t, __i: -1, __u: 0 };
  return !o4 && n.vnode && n.vnode(e3), e3;
}
function $(n3) {
  return n3.children;
}
function x(n3, t3) {
  this.props = n3, this.context = t3, this.__g = 0;
}
function S(n3, t3) {
  if (t3 == null) return n3.__ && S(n3.__, n3.__i + 1);
  for (var r4; t3 < n3.__k.length; t3++) if ((r4 = n3.__k[t3]) && r4.__e) return r4.__e;
  return typeof n3.type != "function" || n3.props.__P ? null : S(n3);
}
function C(t3) {
  var r4, u3 = t3.__v, i4 = u3.__e, f6 = [], o4 = [], e3 = t3.__P;
  e3 && ((r4 = _({ constructor: h }, u3)).__v = u3.__v + 1, n.vnode && n.vnode(r4), z(e3, r4, u3, t3.__n, e3.namespaceURI, 32 & u3.__u ? [i4] : null, f6, i4 || S(u3), 32 & u3.__u, o4), r4.__v = u3.__v, r4.__.__k[r4.__i] = r4, E(f6, r4, o4), u3.__ = u3.__e = null, r4.__e != i4 && j(r4));
}
function j(n3) {
  if ((n3 = n3.__) && n3.__c && !n3.props.__P) return n3.__e = null, n3.__k.some(function(t3) {
    return t3 && (n3.__e = t3.__e);
  }), j(n3);
}
function L(t3) {
  (8 & t3.__g || (t3.__g |= 8, u.push(t3), f++)) && i == n.debounceRendering || ((i = n.debounceRendering) || queueMicrotask)(H);
}
function H() {
  try {
    for (var n3, t3 = 1; u.length; ) u.length > t3 && u.sort(o), n3 = u.shift(), t3 = u.length, 8 & n3.__g && C(n3);
  } finally {
    (f = u.length) && (i || queueMicrotask)(H);
  }
}
function I(n3, t3, r4, u3, i4, f6, o4, e3, l3, c4, a4) {
  var s4, h4, v4, w4, d4, _4, g4 = u3.__k || y, k2 = t3.length;
  for (l3 = q(r4, t3, g4, l3, k2), s4 = 0; s4 < k2; s4++) (v4 = r4.__k[s4]) != null && (h4 = ~v4.__i && g4[v4.__i] || p, v4.__i = s4, _4 = z(n3, v4, h4, i4, f6, o4, e3, l3, c4, a4), w4 = v4.__e, (h4.ref != v4.ref || 8 & h4.__u) && (h4.ref && G(h4.ref, null, v4, h4), v4.ref && a4.push(v4.ref, v4.__c || w4, v4)), d4 = d4 || w4, 4 & v4.__u ? (l3 = A(v4, l3, n3, !h4.__v), h4.__e && (h4.__e = null)) : typeof v4.type == "function" && _4 !== void 0 ? l3 = _4 : w4 && (l3 = w4.nextSibling), v4.__u &= -21);
  return r4.__e = d4, l3;
}
function q(n3, t3, r4, u3, i4) {
  var f6, o4, e3, l3, c4, a4, s4, p3, y4, v4 = r4.length, d4 = v4, _4 = 0, g4 = 0, k2 = n3.__k = Array(i4);
  for (f6 = 0; f6 < i4; f6++) (o4 = t3[f6]) != null && typeof o4 != "boolean" && typeof o4 != "function" ? (typeof o4 != "object" || o4.constructor === String ? o4 = k2[f6] = m(null, o4) : w(o4) ? o4 = k2[f6] = m($, { children: o4 }) : o4.constructor === h && o4.__b ? o4 = k2[f6] = m(o4.type, o4.props, o4.key, o4.ref, o4.__v) : k2[f6] = o4, l3 = f6 + _4, o4.__ = n3, o4.__b = n3.__b + 1, e3 = null, ~(c4 = o4.__i = P(o4, r4, l3, d4)) && (d4--, (e3 = r4[c4]) && (e3.__u |= 2)), e3 && e3.__v ? (o4.__u |= 16, c4 == l3 - 1 ? _4-- : c4 == l3 + 1 ? _4++ : c4 != l3 && (c4 > l3 ? _4-- : _4++, g4 = 1)) : (~c4 || (i4 > v4 ? _4-- : i4 < v4 && _4++), typeof o4.type != "function" && (o4.__u |= 4))) : k2[f6] = null;
  if (g4) {
    for (a4 = [], s4 = [], f6 = 0; f6 < i4; f6++) if ((o4 = k2[f6]) && 16 & o4.__u) {
      for (_4 = 0, p3 = a4.length; _4 < p3; ) a4[y4 = _4 + p3 >> 1] < o4.__i ? _4 = y4 + 1 : p3 = y4;
      a4[_4] = o4.__i, s4[f6] = _4 + 1;
    }
    for (_4 = a4.length; f6--; ) s4[f6] && (s4[f6] == _4 ? _4-- : k2[f6].__u |= 4);
  }
  if (d4) for (f6 = 0; f6 < v4; f6++) !(e3 = r4[f6]) || 2 & e3.__u || (e3.__e == u3 && (u3 = S(e3)), J(e3, e3));
  return u3;
}
function A(n3, t3, r4, u3) {
  var i4, f6, o4, e3;
  if (typeof n3.type == "function") {
    if (n3.props.__P) return t3;
    if (i4 = n3.__k) for (f6 = 0; f6 < i4.length; f6++) i4[f6] && (i4[f6].__ = n3, t3 = A(i4[f6], t3, r4, !1));
    return t3;
  }
  for (t3 && !t3.parentNode && (t3 = S(n3)) && !t3.parentNode && (t3 = null), o4 = n3.__e, e3 = t3; e3 && e3.nodeType == 8; ) e3 = e3.nextSibling;
  for (o4 != e3 && (!u3 && r4.moveBefore && o4.parentNode ? r4.moveBefore(o4, t3) : r4.insertBefore(o4, t3 || null)), t3 = o4; (t3 = t3 && t3.nextSibling) && t3.nodeType == 8 && !t3.data.startsWith("$s"); ) ;
  return t3;
}
function P(n3, t3, r4, u3) {
  var i4, f6 = n3.key, o4 = n3.type, e3 = t3[r4], l3 = e3 && !(2 & e3.__u);
  if (e3 === null && f6 == null || l3 && f6 == e3.key && o4 == e3.type) return r4;
  if (u3 > (l3 ? 1 : 0)) {
    for (i4 = r4 - 1; i4 >= 0; i4--) if ((e3 = t3[i4]) && !(2 & e3.__u) && f6 == e3.key && o4 == e3.type) return i4;
    for (i4 = r4 + 1; i4 < t3.length; i4++) if ((e3 = t3[i4]) && !(2 & e3.__u) && f6 == e3.key && o4 == e3.type) return i4;
  }
  return -1;
}
function T(n3, t3, r4) {
  r4 == null && (r4 = ""), t3[0] == "-" ? n3.setProperty(t3, r4) : n3[t3] = r4;
}
function N(n3, t3, r4, u3, i4) {
  var f6, o4;
  if (t3 == "style") if (typeof r4 == "string") n3.style.cssText = r4;
  else {
    if (typeof u3 == "string" && (n3.style.cssText = u3 = ""), u3) for (t3 in u3) r4 && t3 in r4 || T(n3.style, t3);
    if (r4) for (t3 in r4) u3 && r4[t3] == u3[t3] || T(n3.style, t3, r4[t3]);
  }
  else if (t3[0] == "o" && t3[1] == "n") typeof r4 != "function" && (r4 = null), typeof u3 != "function" && (u3 = null), (n3.__e || (n3.__e = {}))[t3] = r4, r4 && u3 || (o4 = a[t3] || (a[t3] = V(t3)), (n3.__a || (n3.__a = {}))[t3] = c, f6 = t3 != (t3 = t3.replace(l, "$1")), (t3 = t3.slice(2))[0] < "a" && (t3 = t3.toLowerCase()), r4 ? n3.addEventListener(t3, o4, f6) : n3.removeEventListener(t3, o4, f6));
  else {
    if (i4 == "http://www.w3.org/2000/svg") t3 = t3.replace(/xlink(H|:h)/, "h").replace(/sName$/, "s");
    else if (t3 != "width" && t3 != "height" && t3 != "href" && t3 != "list" && t3 != "form" && t3 != "tabIndex" && t3 != "download" && t3 != "rowSpan" && t3 != "colSpan" && t3 != "role" && t3 != "popover" && t3 in n3) try {
      return void (n3[t3] = r4 ?? "");
    } catch {
    }
    if (typeof r4 == "function") return;
    r4 == null || r4 === !1 && t3[4] != "-" ? n3.removeAttribute(t3) : n3.setAttribute(t3, t3 == "popover" && r4 == 1 ? "" : r4);
  }
}
function V(t3) {
  return function(r4) {
    var u3 = this.__e;
    if (u3) {
      if (u3 = u3[t3], r4[e] == null) r4[e] = c++;
      else if (r4[e] < this.__a[t3]) return;
      return u3(n.event ? n.event(r4) : r4);
    }
  };
}
function z(t3, r4, u3, i4, f6, o4, e3, l3, c4, a4) {
  var s4, p3, v4, d4, k2, b4, m3, M2, C3, j3, L3, H3, q3, A3, O, P3, T4, N3, V3 = r4.type;
  if (r4.constructor !== h) return null;
  128 & u3.__u && (c4 = 32 & u3.__u, s4 = u3.__c.__z) && (r4.__u |= c4, p3 = o4 = [], s4.nodeType == 8 ? l3 = B(s4, o4) : o4.push(s4), l3 = o4[0] || l3), (s4 = n.__b) && s4(r4);
  n: if (typeof V3 == "function") {
    v4 = e3.length;
    try {
      if (M2 = r4.props, C3 = (s4 = V3.prototype) && s4.render, j3 = (s4 = V3.contextType) && i4[s4.__c], L3 = s4 ? j3 ? j3.props.value : s4.__ : i4, (d4 = u3.__c) ? (r4.__c = d4, 2 & d4.__g && (d4.__g |= 1)) : (C3 ? r4.__c = d4 = new V3(M2, L3) : (r4.__c = d4 = new x(M2, L3), d4.constructor = V3, d4.render = K), j3 && j3.sub(d4), d4.state || (d4.state = {}), d4.__n = i4, d4.__g |= 8, d4.__h = [], d4.__k = []), C3 && (d4.__s || (d4.__s = d4.state), V3.getDerivedStateFromProps && (d4.__s == d4.state && (d4.__s = _({}, d4.__s)), _(d4.__s, V3.getDerivedStateFromProps(M2, d4.__s)))), k2 = d4.props, b4 = d4.state, d4.__v = r4, u3.__c) {
        if (M2 !== k2 && C3 && !V3.getDerivedStateFromProps && d4.componentWillReceiveProps && d4.componentWillReceiveProps(M2, L3), r4.__v == u3.__v && !(8 & d4.__g) || !(4 & d4.__g) && d4.shouldComponentUpdate && d4.shouldComponentUpdate(M2, d4.__s, L3) === !1) {
          r4.__v != u3.__v && (d4.props = M2, d4.state = d4.__s, d4.__g &= -9), r4.__e = u3.__e, r4.__k = u3.__k, r4.__k.some(function(n3) {
            n3 && (n3.__ = r4);
          }), y.push.apply(d4.__h, d4.__k), d4.__k = [], d4.__h.length && e3.push(d4), l3 = S(u3);
          break n;
        }
        d4.componentWillUpdate && d4.componentWillUpdate(M2, d4.__s, L3), C3 && d4.componentDidUpdate && d4.__h.push(function() {
          d4.componentDidUpdate(k2, b4, m3);
        });
      } else C3 && !V3.getDerivedStateFromProps && d4.componentWillMount && d4.componentWillMount(), C3 && d4.componentDidMount && d4.__h.push(d4.componentDidMount);
      d4.context = L3, d4.props = M2, d4.__P = t3, d4.__g &= -5, H3 = n.__r, q3 = C3 ? 25 : 0;
      do
        d4.__g &= -9, H3 && H3(r4), s4 = d4.render(d4.props, d4.state = d4.__s, d4.context);
      while (8 & d4.__g && ++q3 < 25);
      C3 && (y.push.apply(d4.__h, d4.__k), d4.__k = []), d4.state = d4.__s, d4.getChildContext && (i4 = _({}, i4, d4.getChildContext())), C3 && u3.__c && d4.getSnapshotBeforeUpdate && (m3 = d4.getSnapshotBeforeUpdate(k2, b4)), A3 = s4 && s4.type === $ && s4.key == null ? s4.props.children : s4, M2.__P && (s4 = l3, f6 = (t3 = M2.__P).namespaceURI, c4 = o4 = null, u3.props && u3.props.__P != t3 && (u3.__k.some(function(n3) {
        n3 && J(n3, n3);
      }), u3.__k = null), l3 = u3.__k ? S(u3, 0) : null), l3 = I(t3, w(A3) ? A3 : [A3], r4, u3, i4, f6, o4, e3, l3, c4, a4), M2.__P && (r4.__e = null, l3 = s4), r4.__u &= -161, p3 && p3.some(g), d4.__h.length && e3.push(d4), 1 & d4.__g && (d4.__g &= -4);
    } catch (t4) {
      if (e3.length = v4, r4.__v = null, c4 || o4) if (t4 && t4.then) {
        if (r4.__u |= 128 | c4, o4) {
          for (~(T4 = o4.indexOf(l3 || void 0)) || (T4 = o4.length); (N3 = o4[T4 - 1]) && N3.nodeType == 8; ) T4--;
          for (; T4 < o4.length; T4++) if (N3 = o4[T4]) if (o4[T4] = null, O) {
            if (N3 == P3) break;
          } else {
            if (N3.nodeType != 8) break;
            N3.data.startsWith("$s") && (P3 = B(O = N3));
          }
        }
        if (!O) {
          for (; l3 && l3.nodeType == 8 && l3.nextSibling; ) l3 = l3.nextSibling;
          O = l3;
        }
        (s4 = B(O = r4.__c.__z || (r4.__c.__z = O))) ? (r4.__e = O, l3 = s4) : r4.__e = l3, l3 = l3 && l3.nextSibling;
      } else o4 && o4.some(g);
      else r4.__e = u3.__e;
      r4.__k || (r4.__k = u3.__k || []), t4 && t4.then || D(r4), n.__e(t4, r4, u3);
    }
  } else l3 = r4.__e = F(u3.__e, r4, u3, i4, f6, o4, e3, c4, a4, t3);
  return (s4 = n.diffed) && s4(r4), l3;
}
function B(n3, t3) {
  if (n3 && n3.nodeType == 8 && n3.data.startsWith("$s")) for (var r4 = 1; n3 = n3.nextSibling; ) {
    if (n3.nodeType == 8) {
      if (n3.data.startsWith("$s")) r4++;
      else if (n3.data.startsWith("/$s") && !--r4) return n3;
    }
    t3 && t3.push(n3);
  }
}
function D(n3) {
  n3 && (n3.__c && (n3.__c.__g |= 4), n3.__k && n3.__k.some(D));
}
function E(t3, r4, u3) {
  for (var i4 = 0; i4 < u3.length; ) G(u3[i4++], u3[i4++], u3[i4++]);
  n.__c && n.__c(r4, t3), t3.some(function(r5) {
    try {
      t3 = r5.__h, r5.__h = [], t3.some(function(n3) {
        n3.call(r5);
      });
    } catch (t4) {
      n.__e(t4, r5.__v);
    }
  });
}
function F(t3, r4, u3, i4, f6, o4, e3, l3, c4, a4) {
  var s4, h4, y4, _4, k2, b4, m3, M2, $2 = u3.props || p, x2 = r4.props, C3 = r4.type;
  if (C3 == "svg" ? f6 = "http://www.w3.org/2000/svg" : C3 == "math" ? f6 = "http://www.w3.org/1998/Math/MathML" : f6 || (f6 = "http://www.w3.org/1999/xhtml"), o4) {
    for (s4 = 0; s4 < o4.length; s4++) if ((k2 = o4[s4]) && (C3 ? k2.localName == C3 : k2.nodeType == 3)) {
      t3 = k2, o4[s4] = null;
      break;
    }
  }
  if (!t3) {
    if (M2 = a4.ownerDocument || document, !C3) return M2.createTextNode(x2);
    t3 = M2.createElementNS(f6, C3, x2.is ? x2 : a4), l3 && (n.__m && n.__m(r4, o4), l3 = !1), o4 = null;
  }
  if (C3) {
    if (a4 = C3 == "template" && t3.content || t3, o4 = C3 == "textarea" && x2.defaultValue != null ? null : o4 && d.call(a4.childNodes), !l3 && o4) for ($2 = {}, s4 = 0; s4 < t3.attributes.length; s4++) $2[(k2 = t3.attributes[s4]).name] = k2.value;
    for (s4 in $2) k2 = $2[s4], s4 == "dangerouslySetInnerHTML" ? y4 = k2 : s4 == "children" || s4 in x2 || s4 == "value" && "defaultValue" in x2 || s4 == "checked" && "defaultChecked" in x2 || N(t3, s4, null, k2, f6);
    for (s4 in x2) k2 = x2[s4], s4 == "children" ? _4 = k2 : s4 == "dangerouslySetInnerHTML" ? h4 = k2 : s4 == "value" ? b4 = k2 : s4 == "checked" ? m3 = k2 : l3 && typeof k2 != "function" || $2[s4] === k2 || N(t3, s4, k2, $2[s4], f6);
    h4 ? (l3 || y4 && (h4.__html == y4.__html || h4.__html == t3.innerHTML) || (t3.innerHTML = h4.__html), r4.__k = []) : (y4 && (t3.textContent = ""), (C3 == "foreignObject" || f6 == "http://www.w3.org/1998/Math/MathML" && v.test(C3)) && (f6 = "http://www.w3.org/1999/xhtml"), I(a4, w(_4) ? _4 : [_4], r4, u3, i4, f6, o4, e3, o4 ? o4[0] : u3.__k && S(u3, 0), l3, c4), o4 && o4.some(g)), l3 && C3 != "textarea" || (s4 = "value", C3 == "progress" && b4 == null ? t3.removeAttribute(s4) : b4 == null || b4 === t3[s4] && (C3 != "progress" || b4) || N(t3, s4, b4, $2[s4], f6), s4 = "checked", m3 != null && m3 != t3[s4] && N(t3, s4, m3, $2[s4], f6));
  } else $2 === x2 || l3 && t3.data == x2 || (t3.data = x2);
  return t3;
}
function G(t3, r4, u3, i4) {
  try {
    typeof t3 == "function" ? r4 ? r4.__x = t3(r4) || 1 : i4 && (i4 = i4.__c || i4.__e) && (r4 = i4.__x) && (i4.__x = null, typeof r4 == "function" ? r4() : t3(null)) : t3.current = r4;
  } catch (t4) {
    n.__e(t4, u3);
  }
}
function J(t3, r4, u3) {
  var i4, f6, o4, e3;
  if (n.unmount && n.unmount(t3), !(i4 = t3.ref) || i4.current && i4.current != t3.__e || G(i4, null, r4, t3), i4 = t3.__c) {
    if (i4.componentWillUnmount) try {
      i4.componentWillUnmount();
    } catch (t4) {
      n.__e(t4, r4);
    }
    i4.__P = i4.__n = null;
  }
  if (i4 = t3.__k) for (e3 = 0; e3 < i4.length; e3++) i4[e3] && J(i4[e3], r4, typeof t3.type != "function" || u3 && !t3.props.__P);
  !u3 && (i4 = t3.__c) && (i4 = i4.__z) && (f6 = B(i4, o4 = [])) && (i4 == t3.__e && o4.some(g), g(f6), g(i4)), u3 || g(t3.__e), t3.__e = t3.__c = t3.__ = null;
}
function K(n3, t3, r4) {
  return this.constructor(n3, r4);
}
function Q(t3, r4) {
  var u3, i4, f6, o4;
  n.__ && n.__(t3, r4), r4.nodeType == 9 && (r4 = r4.documentElement), i4 = (u3 = t3 && 32 & t3.__u) ? null : r4.__k, r4.__k = m($, { children: [t3] }), f6 = [], o4 = [], z(r4, r4.__k, i4 || p, p, r4.namespaceURI, i4 ? null : r4.firstChild ? d.call(r4.childNodes) : null, f6, i4 ? i4.__e : r4.firstChild, u3, o4), E(f6, r4.__k, o4), r4.__k.props.children = null;
}
function U(n3) {
  function t3(n4) {
    var r4, u3;
    return this.getChildContext || (r4 = /* @__PURE__ */ new Set(), (u3 = {})[t3.__c] = this, this.getChildContext = function() {
      return u3;
    }, this.shouldComponentUpdate = function(n5) {
      this.props.value != n5.value && r4.forEach(function(n6) {
        n6.__g |= 4, L(n6);
      });
    }, this.sub = function(n5) {
      r4.add(n5);
      var t4 = n5.componentWillUnmount;
      n5.componentWillUnmount = function() {
        r4.delete(n5), t4 && t4.call(n5);
      };
    }), n4.children;
  }
  return t3.__c = "__cC" + s++, t3.__ = n3, t3.Provider = (t3.Consumer = function(n4, t4) {
    return n4.children(t4);
  }).contextType = t3, t3;
}
n = { __e: function(n3, t3, r4, u3) {
  for (var i4, o4, e3; t3 = t3.__; ) if ((i4 = t3.__c) && !(1 & i4.__g)) {
    i4.__g |= 4;
    try {
      if ((e3 = (o4 = i4.constructor) && o4.getDerivedStateFromError) && i4.setState(o4.getDerivedStateFromError(n3)), i4.componentDidCatch && (i4.componentDidCatch(n3, u3 || {}), e3 = 1), e3 && 8 & i4.__g) return void (i4.__g |= 2);
    } catch (t4) {
      n3 = t4;
    }
  }
  throw f = 0, n3;
} }, t = 0, r = function(n3) {
  return n3 != null && n3.constructor === h;
}, x.prototype.setState = function(n3, t3) {
  var r4 = this.__s;
  r4 && r4 != this.state || (r4 = this.__s = _({}, this.state)), typeof n3 == "function" && (n3 = n3(_({}, r4), this.props)), n3 && (_(r4, n3), this.__v && (t3 && this.__k.push(t3), L(this)));
}, x.prototype.forceUpdate = function(n3) {
  this.__v && (this.__g |= 4, n3 && this.__h.push(n3), L(this));
}, x.prototype.render = $, u = [], f = 0, o = function(n3, t3) {
  return n3.__v.__b - t3.__v.__b;
}, e = /* @__PURE__ */ Symbol(), l = /(PointerCapture)$|Capture$/i, c = 0, a = {}, s = 0;

// node_modules/preact/hooks/dist/hooks.mjs
var t2, r2, u2, i2, o2 = Object.is, f2 = 0, c2 = [], e2 = [], a2 = n, v2 = a2.__b, l2 = a2.__r, m2 = a2.diffed, h2 = a2.__c, s2 = a2.unmount, p2 = a2.__;
function y2(n3, t3) {
  a2.__h && a2.__h(r2, n3, f2 || t3), f2 = 0;
  var u3 = r2.__H || (r2.__H = { __: [], __h: [] });
  return n3 >= u3.__.length && u3.__.push({}), u3.__[n3];
}
function d2(n3) {
  return f2 = 1, _2(G2, n3);
}
function _2(n3, u3, i4) {
  var f6 = y2(t2++, 2);
  if (f6.t = n3, !f6.__c && (f6.__ = [i4 ? i4(u3) : G2(void 0, u3), function(n4) {
    var t3 = (f6.__N || f6.__)[0], r4 = f6.t(t3, n4);
    o2(t3, r4) || (f6.__N = [r4, f6.__[1]], f6.__c.setState({}));
  }], f6.__c = r2, !r2.__f)) {
    r2.__f = !0;
    var c4 = r2.shouldComponentUpdate;
    r2.shouldComponentUpdate = function(n4, t3, r4) {
      var u4 = this.__H;
      if (!u4) return !0;
      var i5 = !1, f7 = this.props != n4;
      if (u4.__.some(function(n5) {
        n5.__N && (i5 = !0, o2(n5.__[0], n5.__N[0]) || (f7 = !0));
      }), c4) {
        var e3 = c4.call(this, n4, t3, r4);
        return i5 ? e3 || f7 : e3;
      }
      return !i5 || f7;
    };
  }
  return f6.__;
}
function A2(n3, u3) {
  var i4 = y2(t2++, 3);
  !a2.__s && E2(i4.__H, u3) && (i4.__P = !0, i4.__ = n3, i4.u = u3, r2.__H.__h.push(i4));
}
function F2(n3, u3) {
  var i4 = y2(t2++, 4);
  !a2.__s && E2(i4.__H, u3) && (i4.__P = !1, i4.__ = n3, i4.u = u3, r2.__h.push(i4));
}
function T2(n3) {
  return f2 = 5, w2(function() {
    return { current: n3 };
  }, []);
}
function w2(n3, r4) {
  var u3 = y2(t2++, 7);
  return E2(u3.__H, r4) && (u3.__ = n3(), u3.__H = r4), u3.__;
}
function b(n3, t3) {
  return f2 = 8, w2(function() {
    return n3;
  }, t3);
}
function j2(n3) {
  var u3 = r2.context[n3.__c], i4 = y2(t2++, 9);
  return i4.c = n3, u3 ? (i4.__ == null && (i4.__ = !0, u3.sub(r2)), u3.props.value) : n3.__;
}
function g2() {
  var n3;
  do {
    for (; n3 = e2.shift(); ) try {
      C2(n3);
    } catch (t4) {
      a2.__e(t4, { __: (n3 = n3.__P) && n3.__v });
    }
    for (; n3 = c2.shift(); ) {
      var t3 = n3.__H;
      if (n3.__P && t3) try {
        t3.__h.some(C2), t3.__h.some(D2), t3.__h = [];
      } catch (r4) {
        t3.__h = [], a2.__e(r4, n3.__v);
      }
    }
  } while (e2.length);
}
a2.__b = function(n3) {
  r2 = null, v2 && v2(n3);
}, a2.__ = function(n3, t3) {
  n3 && t3.__k && t3.__k.__m && (n3.__m = t3.__k.__m), p2 && p2(n3, t3);
}, a2.__r = function(n3) {
  l2 && l2(n3), t2 = 0;
  var i4 = (r2 = n3.__c).__H;
  i4 && (u2 == r2 ? r2.__h = [] : (i4.__h.some(C2), i4.__h.some(D2), t2 = 0), i4.__h = [], i4.__.some(function(n4) {
    n4.__N && (n4.__ = n4.__N), n4.u = n4.__N = void 0;
  })), u2 = r2;
}, a2.diffed = function(n3) {
  m2 && m2(n3);
  var t3 = n3.__c;
  t3 && t3.__H && (t3.__H.__h.length && B2(c2.push(t3)), t3.__H.__.some(function(n4) {
    n4.u && (n4.__H = n4.u);
  })), u2 = r2 = null;
}, a2.__c = function(n3, t3) {
  t3.some(function(n4) {
    try {
      n4.__h.some(C2), n4.__h = n4.__h.filter(function(n5) {
        return !n5.__ || D2(n5);
      });
    } catch (t4) {
      n4.__h = [function() {
        throw t4;
      }];
    }
  }), h2 && h2(n3, t3);
}, a2.unmount = function(n3) {
  s2 && s2(n3);
  var t3, r4, u3 = n3.__c;
  u3 && u3.__H && (u3.__H.__.some(function(u4) {
    try {
      if (u4.__P && u4.__c) {
        if (r4 === void 0) {
          for (r4 = n3.__; r4 && (!r4.__c || !r4.__c.__P); ) r4 = r4.__;
          r4 = r4 && r4.__c;
        }
        u4.__P = r4, B2(e2.push(u4));
      } else C2(u4);
    } catch (n4) {
      t3 = n4;
    }
  }), u3.__H = void 0, t3 && a2.__e(t3, u3.__v));
};
var k = typeof requestAnimationFrame == "function";
function z2(n3) {
  var t3, r4 = function() {
    clearTimeout(u3), k && cancelAnimationFrame(t3), setTimeout(n3);
  }, u3 = setTimeout(r4, 35);
  k && (t3 = requestAnimationFrame(r4));
}
function B2(n3) {
  n3 != 1 && i2 == a2.requestAnimationFrame || ((i2 = a2.requestAnimationFrame) || z2)(g2);
}
function C2(n3) {
  var t3 = r2, u3 = n3.__c;
  typeof u3 == "function" && (n3.__c = void 0, u3()), r2 = t3;
}
function D2(n3) {
  var t3 = r2;
  n3.__c = n3.__(), r2 = t3;
}
function E2(n3, t3) {
  return !n3 || n3.length != t3.length || t3.some(function(t4, r4) {
    return !o2(t4, n3[r4]);
  });
}
function G2(n3, t3) {
  return typeof t3 == "function" ? t3(n3) : t3;
}

// src/tools/input_pipeline.tsx
var input_pipeline_exports = {};
__export(input_pipeline_exports, {
  default: () => InputPipeline,
  keys: () => keys
});

// src/api.ts
var ApiError = class extends Error {
  constructor(kind, message) {
    super(message);
    this.kind = kind;
  }
  kind;
};
function address(route, query) {
  let url = new URL(`../${route}`, import.meta.url);
  for (let [name, value] of query) url.searchParams.append(name, value);
  return url.href;
}
async function explained(response) {
  let error = (await response.json().catch(() => null))?.error;
  return error ? new ApiError(String(error.kind), String(error.message)) : new ApiError("internal", `The server answered ${response.status} ${response.statusText} without saying why.`);
}
async function get(url, signal) {
  let response;
  try {
    response = await fetch(url, { signal: signal ?? null });
  } catch (error) {
    throw signal?.aborted ? error : new ApiError("unreachable", "TensorBoard does not answer. Is it still running? This page keeps asking.");
  }
  if (!response.ok) throw await explained(response);
  return await response.json();
}
function getRuns(signal) {
  return get(address("runs", []), signal);
}
function getTools(run = "", hosts = [], signal) {
  return get(address("tools", run ? selected(run, hosts) : []), signal);
}
function selected(run, hosts) {
  return [["run", run], ...hosts.map((host2) => ["host", host2])];
}
function apiFor({ run, hosts, tool }) {
  let url = (options2) => address("data", [...selected(run, hosts), ["tool", tool], ...Object.entries(options2)]);
  return { url, data: (options2, signal) => get(url(options2), signal) };
}

// src/answer.ts
var PATIENCE_MS = 100, RETRY_MS = 5e3;
function useAnswer(api, options2 = {}) {
  let [asked, setAsked] = d2({ answer: null, error: null, waiting: !1 }), [attempt, setAttempt] = d2(0), again = b(() => setAttempt((n3) => n3 + 1), []), url = api.url(options2), latest = T2(options2);
  return latest.current = options2, A2(() => {
    let abort = new AbortController(), timer = setTimeout(() => setAsked((old) => ({ ...old, waiting: !0 })), PATIENCE_MS), settle = (next2) => {
      clearTimeout(timer), abort.signal.aborted || setAsked(next2);
    };
    return api.data(latest.current, abort.signal).then(
      (answer) => settle(() => ({ answer, error: null, waiting: !1 })),
      (reason) => settle((old) => ({ ...old, error: asApiError(reason), waiting: !1 }))
    ), () => {
      clearTimeout(timer), abort.abort();
    };
  }, [api, url, attempt]), useRetry(asked.error, again), { ...asked, again };
}
function useRetry(error, again) {
  A2(() => {
    if (error?.kind !== "unreachable") return;
    let timer = setTimeout(again, RETRY_MS);
    return () => clearTimeout(timer);
  }, [error]);
}
function asApiError(reason) {
  return reason instanceof ApiError ? reason : new ApiError("internal", String(reason));
}

// src/units.ts
var TIME = [
  [1e12, "s"],
  [1e9, "ms"],
  [1e6, "µs"],
  [1e3, "ns"],
  [1, "ps"]
], BYTES = [
  [1e12, "TB"],
  [1e9, "GB"],
  [1e6, "MB"],
  [1e3, "kB"],
  [1, "B"]
], COUNTS = [
  [1e12, "T"],
  [1e9, "G"],
  [1e6, "M"],
  [1e3, "k"],
  [1, ""]
], SCALED = {
  ps: [1, TIME, ""],
  ns: [1e3, TIME, ""],
  us: [1e6, TIME, ""],
  ms: [1e9, TIME, ""],
  s: [1e12, TIME, ""],
  bytes: [1, BYTES, ""],
  bytes_per_s: [1, BYTES, "/s"],
  per_s: [1, COUNTS, "/s"]
}, SPOKEN = { mhz: "MHz", gb_s: "GB/s", tflops: "TFLOP/s" };
function spoken(name) {
  return Object.keys(SPOKEN).find((suffix) => name.endsWith(`_${suffix}`)) ?? "";
}
var EPOCH_PS = 3 * 365 * 86400 * 1e12, SYMBOLS = { us: "µs", bytes: "B", bytes_per_s: "B/s", per_s: "/s" }, UNKNOWN = "–";
function grouped(value) {
  return value.toLocaleString("en-US", { maximumFractionDigits: 20 });
}
function threeDigits(value) {
  if (value === 0) return "0";
  let size = Math.abs(value);
  return size >= 999.5 ? grouped(Math.round(value)) : size < 1e-4 ? value.toExponential(2) : value.toPrecision(3);
}
function scaled(value, [one, scale, suffix]) {
  let base = value * one, size = Math.abs(base), [factor, symbol] = scale.find(([f6]) => size >= f6 * 0.9995) ?? scale[scale.length - 1];
  return `${factor === 1 && Number.isInteger(base) ? grouped(base) : threeDigits(base / factor)} ${symbol}${suffix}`;
}
function percent(share) {
  let value = share * 100;
  return value !== 0 && Math.abs(value) < 0.01 ? "< 0.01 %" : value === 0 || Math.abs(value) >= 99.95 ? `${Math.round(value)} %` : `${value.toPrecision(Math.abs(value) < 1 ? 2 : 3)} %`;
}
function formatNumber(value, unit) {
  if (unit === "share") return percent(value);
  if (unit === "id") return String(value);
  let scale = SCALED[unit];
  if (scale?.[1] === TIME && value * scale[0] > EPOCH_PS) return formatTime(value * scale[0] / 1e9);
  if (scale) return value === 0 ? "0" : scaled(value, scale);
  let text2 = Number.isInteger(value) ? grouped(value) : threeDigits(value);
  return unit && unit !== "count" ? `${text2} ${unit}` : text2;
}
function formatValue(value, unit) {
  return value == null ? UNKNOWN : typeof value == "boolean" ? value ? "yes" : "no" : typeof value == "number" ? formatNumber(value, unit) : value;
}
function formatCell(value, column) {
  return formatValue(value, column.unit || (SPOKEN[spoken(column.name)] ?? ""));
}
function exactValue(value, unit) {
  return value == null ? "unknown" : typeof value != "number" || unit === "share" || unit === "id" || unit === "" ? String(value) : `${grouped(value)} ${unit === "count" ? "" : SYMBOLS[unit] ?? unit}`.trim();
}
function isNumeric(column) {
  return column.dtype !== "text" && column.dtype !== "bool";
}
function plural(word) {
  return /(s|x|ch|sh)$/.test(word) ? `${word}es` : `${word}s`;
}
function label(column) {
  let suffix = column.unit || spoken(column.name), stem = suffix && column.name.endsWith(`_${suffix}`) ? column.name.slice(0, -suffix.length - 1) : column.name, words = (column.unit === "count" && stem !== column.name ? plural(stem) : stem).replaceAll("_", " ").replace(/(\d)bit\b/, "$1-bit").replace(/\b(tf32|mxu|hbm|flop)\b/, (word) => word.toUpperCase());
  return words.charAt(0).toUpperCase() + words.slice(1) + (column.unit === "share" ? " %" : "");
}
function formatBytes(bytes) {
  return formatNumber(bytes, "bytes");
}
function formatTime(ms2) {
  let date = new Date(ms2), two = (n3) => String(n3).padStart(2, "0");
  return `${`${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`} ${two(date.getHours())}:${two(date.getMinutes())}`;
}
function formatAge(ms2, now) {
  let seconds = (now - ms2) / 1e3;
  return seconds < 60 ? "just now" : seconds < 3600 ? `${Math.floor(seconds / 60)} min ago` : seconds < 86400 ? `${Math.floor(seconds / 3600)} h ago` : formatTime(ms2);
}
function counted(count2, word) {
  return `${grouped(count2)} ${count2 === 1 ? word : plural(word)}`;
}

// src/views/chart.ts
var PS = { ps: 1, ns: 1e3, us: 1e6, ms: 1e9, s: 1e12 };
function numbers(data, name) {
  return (data.columns[name] ?? []).map((cell) => typeof cell == "number" ? cell : null);
}
function chartOf(view, spec, data) {
  let x2 = spec.columns.find((column) => column.name === view.label);
  if (!x2) return null;
  let begins = numbers(data, x2.name), rows2 = begins.flatMap((begin, row) => begin === null ? [] : [row]), known2 = view.values.flatMap((name) => spec.columns.filter((column) => column.name === name)).map((column) => ({ column, all: numbers(data, column.name) })).map(({ column, all }) => ({ column, values: rows2.map((row) => all[row] ?? null) })).filter(({ values }) => values.some((value) => value !== null)), units = [...new Set(known2.map(({ column }) => column.unit))].slice(0, 2), lines = known2.filter(({ column }) => units.includes(column.unit));
  if (!lines.length) return null;
  let origin = x2.unit in PS ? begins[rows2[0]] : 0, starts = rows2.map((row) => begins[row] - origin), lengths = numbers(data, x2.name.replace(/^start_/, "duration_")), ends = x2.name.startsWith("start_") && rows2.every((row) => typeof lengths[row] == "number") ? starts.map((start, i4) => start + lengths[rows2[i4]]) : null;
  return { x: x2, starts, ends, origin, lines, units };
}
function points({ starts, ends, lines }) {
  if (!ends) return [[...starts], ...lines.map(({ values }) => [...values])];
  let last = starts.length - 1;
  return [[...starts, ends[last]], ...lines.map(({ values }) => [...values, values[last] ?? null])];
}
function rowAt({ starts, ends }, x2) {
  let after = starts.findIndex((start) => start > x2), row = Math.max(0, after < 0 ? starts.length - 1 : after - 1), next2 = starts[row + 1];
  return !ends && next2 !== void 0 && next2 - x2 < x2 - starts[row] ? row + 1 : row;
}
function middle({ starts, ends }, row) {
  return ends ? (starts[row] + ends[row]) / 2 : starts[row];
}
function moved(key, row, count2) {
  let last = count2 - 1, far = Math.max(1, Math.round(count2 / 10)), steps = { ArrowLeft: -1, ArrowRight: 1, PageUp: -far, PageDown: far };
  if (key === "Home") return 0;
  if (key === "End") return last;
  let step2 = steps[key];
  return step2 === void 0 ? null : row === null ? step2 > 0 ? 0 : last : Math.min(last, Math.max(0, row + step2));
}
function intervalOf({ x: x2, starts, ends, origin }, row) {
  let ps3 = PS[x2.unit];
  return !ends || ps3 === void 0 ? null : [Math.floor((starts[row] + origin) * ps3), Math.ceil((ends[row] + origin) * ps3)];
}
function tickText(value, unit) {
  return formatNumber(value, unit).replace(/(\.\d*?)0+(?!\d)/, (_4, kept) => kept === "." ? "" : kept);
}
function placeOf({ x: x2, starts, ends }, row) {
  let start = formatNumber(starts[row], x2.unit);
  return ends ? `at ${start} for ${formatNumber(ends[row] - starts[row], x2.unit)}` : `${label(x2)} ${start}`;
}
function lineName({ column }) {
  return label(column).replace(/ %$/, "");
}
function lineValue({ column, values }, row) {
  return formatValue(values[row], column.unit);
}
function exactLineValue({ column, values }, row) {
  return `${column.help}
${exactValue(values[row], column.unit)}`;
}
function extent({ values }, { starts, ends }) {
  let [low, high, sum, weight, unknown] = [1 / 0, -1 / 0, 0, 0, 0];
  return values.forEach((value, row) => {
    if (value === null) return void unknown++;
    let part = ends ? ends[row] - starts[row] : 1;
    low = Math.min(low, value), high = Math.max(high, value), sum += value * part, weight += part;
  }), { low, high, mean: sum / (weight || 1), unknown };
}
function inWords(chart) {
  let { x: x2, starts, ends, lines } = chart, reach = (ends ?? starts)[starts.length - 1] - starts[0], sentences = lines.map((line) => {
    let { low, high, mean, unknown } = extent(line, chart), [from, to2, average] = [low, high, mean].map((value) => formatNumber(value, line.column.unit)), gaps = unknown ? `, unknown in ${counted(unknown, "row")}` : "";
    return `${lineName(line)}: ${from} to ${to2}, ${average} on average${gaps}.`;
  });
  return [`${counted(starts.length, "row")} over ${formatNumber(reach, x2.unit)}.`, ...sentences].join(" ");
}

// node_modules/uplot/dist/uPlot.esm.js
/*!
* Copyright (c) 2025, Leon Sorokin
* All rights reserved. (MIT Licensed)
*
* uPlot.js (μPlot)
* A small, fast chart for time series, lines, areas, ohlc & bars
*/
var Js = "uplot", Zs = "u-hz", Qs = "u-vt", Xs = "u-title", er = "u-wrap", tr = "u-under", lr = "u-over", nr = "u-axis", $t = "u-off", ir = "u-select", or = "u-cursor-x", sr = "u-cursor-y", rr = "u-cursor-pt", fr = "u-legend", ur = "u-live", cr = "u-inline", ar = "u-series", pr = "u-marker", ji = "u-label", hr = "u-value", Hl = "width", Nl = "height";
var qi = "bottom", yl = "left", Wn = "right", Gn = "#000", $i = Gn + "0", In = "mousemove", Ji = "mousedown", Yn = "mouseup", Zi = "mouseenter", Qi = "mouseleave", Xi = "dblclick", mr = "resize", gr = "scroll", eo = "change", tn = "dppxchange", Bn = "--", vl = typeof window < "u", Un = vl ? document : null, kl = vl ? window : null, dr = vl ? navigator : null, oe, ln;
function Kn() {
  let e3 = devicePixelRatio;
  oe != e3 && (oe = e3, ln && $n(eo, ln, Kn), ln = matchMedia(`(min-resolution: ${oe - 1e-3}dppx) and (max-resolution: ${oe + 1e-3}dppx)`), Jt(eo, ln, Kn), kl.dispatchEvent(new CustomEvent(tn)));
}
function Xe(e3, i4) {
  if (i4 != null) {
    let o4 = e3.classList;
    !o4.contains(i4) && o4.add(i4);
  }
}
function jn(e3, i4) {
  let o4 = e3.classList;
  o4.contains(i4) && o4.remove(i4);
}
function de(e3, i4, o4) {
  e3.style[i4] = o4 + "px";
}
function gt(e3, i4, o4, n3) {
  let s4 = Un.createElement(e3);
  return i4 != null && Xe(s4, i4), o4?.insertBefore(s4, n3), s4;
}
function ft(e3, i4) {
  return gt("div", e3, i4);
}
var to = /* @__PURE__ */ new WeakMap();
function bt(e3, i4, o4, n3, s4) {
  let a4 = "translate(" + i4 + "px," + o4 + "px)", u3 = to.get(e3);
  a4 != u3 && (e3.style.transform = a4, to.set(e3, a4), i4 < 0 || o4 < 0 || i4 > n3 || o4 > s4 ? Xe(e3, $t) : jn(e3, $t));
}
var lo = /* @__PURE__ */ new WeakMap();
function no(e3, i4, o4) {
  let n3 = i4 + o4, s4 = lo.get(e3);
  n3 != s4 && (lo.set(e3, n3), e3.style.background = i4, e3.style.borderColor = o4);
}
var io = /* @__PURE__ */ new WeakMap();
function oo(e3, i4, o4, n3) {
  let s4 = i4 + "" + o4, a4 = io.get(e3);
  s4 != a4 && (io.set(e3, s4), e3.style.height = o4 + "px", e3.style.width = i4 + "px", e3.style.marginLeft = n3 ? -i4 / 2 + "px" : 0, e3.style.marginTop = n3 ? -o4 / 2 + "px" : 0);
}
var qn = { passive: !0 }, wr = { ...qn, capture: !0 };
function Jt(e3, i4, o4, n3) {
  i4.addEventListener(e3, o4, n3 ? wr : qn);
}
function $n(e3, i4, o4, n3) {
  i4.removeEventListener(e3, o4, qn);
}
vl && Kn();
function dt(e3, i4, o4, n3) {
  let s4;
  o4 = o4 || 0, n3 = n3 || i4.length - 1;
  let a4 = n3 <= 2147483647;
  for (; n3 - o4 > 1; )
    s4 = a4 ? o4 + n3 >> 1 : tt((o4 + n3) / 2), i4[s4] < e3 ? o4 = s4 : n3 = s4;
  return e3 - i4[o4] <= i4[n3] - e3 ? o4 : n3;
}
function so(e3) {
  return (o4, n3, s4) => {
    let a4 = -1, u3 = -1;
    for (let h4 = n3; h4 <= s4; h4++)
      if (e3(o4[h4])) {
        a4 = h4;
        break;
      }
    for (let h4 = s4; h4 >= n3; h4--)
      if (e3(o4[h4])) {
        u3 = h4;
        break;
      }
    return [a4, u3];
  };
}
var ro = (e3) => e3 != null, fo = (e3) => e3 != null && e3 > 0, nn = so(ro), Sr = so(fo);
function _r(e3, i4, o4, n3 = 0, s4 = !1) {
  let a4 = s4 ? Sr : nn, u3 = s4 ? fo : ro;
  [i4, o4] = a4(e3, i4, o4);
  let h4 = e3[i4], m3 = e3[i4];
  if (i4 > -1)
    if (n3 == 1)
      h4 = e3[i4], m3 = e3[o4];
    else if (n3 == -1)
      h4 = e3[o4], m3 = e3[i4];
    else
      for (let g4 = i4; g4 <= o4; g4++) {
        let y4 = e3[g4];
        u3(y4) && (y4 < h4 ? h4 = y4 : y4 > m3 && (m3 = y4));
      }
  return [h4 ?? ce, m3 ?? -ce];
}
function on(e3, i4, o4, n3) {
  let s4 = ao(e3), a4 = ao(i4);
  e3 == i4 && (s4 == -1 ? (e3 *= o4, i4 /= o4) : (e3 /= o4, i4 *= o4));
  let u3 = o4 == 10 ? Pt : po, h4 = s4 == 1 ? tt : ut, m3 = a4 == 1 ? ut : tt, g4 = h4(u3(Ae(e3))), y4 = m3(u3(Ae(i4))), d4 = xl(o4, g4), w4 = xl(o4, y4);
  return o4 == 10 && (g4 < 0 && (d4 = ae(d4, -g4)), y4 < 0 && (w4 = ae(w4, -y4))), n3 || o4 == 2 ? (e3 = d4 * s4, i4 = w4 * a4) : (e3 = yo(e3, d4), i4 = fn(i4, w4)), [e3, i4];
}
function Jn(e3, i4, o4, n3) {
  let s4 = on(e3, i4, o4, n3);
  return e3 == 0 && (s4[0] = 0), i4 == 0 && (s4[1] = 0), s4;
}
var Zn = 0.1, uo = {
  mode: 3,
  pad: Zn
}, Wl = {
  pad: 0,
  soft: null,
  mode: 0
}, yr = {
  min: Wl,
  max: Wl
};
function sn(e3, i4, o4, n3) {
  return un(o4) ? co(e3, i4, o4) : (Wl.pad = o4, Wl.soft = n3 ? 0 : null, Wl.mode = n3 ? 3 : 0, co(e3, i4, yr));
}
function ne(e3, i4) {
  return e3 ?? i4;
}
function vr(e3, i4, o4) {
  for (i4 = ne(i4, 0), o4 = ne(o4, e3.length - 1); i4 <= o4; ) {
    if (e3[i4] != null)
      return !0;
    i4++;
  }
  return !1;
}
function co(e3, i4, o4) {
  let n3 = o4.min, s4 = o4.max, a4 = ne(n3.pad, 0), u3 = ne(s4.pad, 0), h4 = ne(n3.hard, -ce), m3 = ne(s4.hard, ce), g4 = ne(n3.soft, ce), y4 = ne(s4.soft, -ce), d4 = ne(n3.mode, 0), w4 = ne(s4.mode, 0), L3 = i4 - e3, D3 = Pt(L3), O = Be(Ae(e3), Ae(i4)), N3 = Pt(O), G4 = Ae(N3 - D3);
  (L3 < 1e-24 || G4 > 10) && (L3 = 0, (e3 == 0 || i4 == 0) && (L3 = 1e-24, d4 == 2 && g4 != ce && (a4 = 0), w4 == 2 && y4 != -ce && (u3 = 0)));
  let k2 = L3 || O || 1e3, H3 = Pt(k2), x2 = xl(10, tt(H3)), q3 = k2 * (L3 == 0 ? e3 == 0 ? 0.1 : 1 : a4), P3 = ae(yo(e3 - q3, x2 / 10), 24), $2 = e3 >= g4 && (d4 == 1 || d4 == 3 && P3 <= g4 || d4 == 2 && P3 >= g4) ? g4 : ce, U2 = Be(h4, P3 < $2 && e3 >= $2 ? $2 : wt($2, P3)), Q2 = k2 * (L3 == 0 ? i4 == 0 ? 0.1 : 1 : u3), B4 = ae(fn(i4 + Q2, x2 / 10), 24), T4 = i4 <= y4 && (w4 == 1 || w4 == 3 && B4 >= y4 || w4 == 2 && B4 <= y4) ? y4 : -ce, j3 = wt(m3, B4 > T4 && i4 <= T4 ? T4 : Be(T4, B4));
  return U2 == j3 && U2 == 0 && (j3 = 100), [U2, j3];
}
var kr = new Intl.NumberFormat(vl ? dr.language : "en-US"), Qn = (e3) => kr.format(e3), et = Math, rn = et.PI, Ae = et.abs, tt = et.floor, Ee = et.round, ut = et.ceil, wt = et.min, Be = et.max, xl = et.pow, ao = et.sign, Pt = et.log10, po = et.log2, xr = (e3, i4 = 1) => et.sinh(e3) * i4, Xn = (e3, i4 = 1) => et.asinh(e3 / i4), ce = 1 / 0;
function ho(e3) {
  return (Pt((e3 ^ e3 >> 31) - (e3 >> 31)) | 0) + 1;
}
function ei(e3, i4, o4) {
  return wt(Be(e3, i4), o4);
}
function mo(e3) {
  return typeof e3 == "function";
}
function X(e3) {
  return mo(e3) ? e3 : () => e3;
}
var Tr = () => {
}, go = (e3) => e3, wo = (e3, i4) => i4, br = (e3) => null, So = (e3) => !0, _o = (e3, i4) => e3 == i4, Mr = /\.\d*?(?=9{6,}|0{6,})/gm, Zt = (e3) => {
  if (ko(e3) || Ot.has(e3))
    return e3;
  let i4 = `${e3}`, o4 = i4.match(Mr);
  if (o4 == null)
    return e3;
  let n3 = o4[0].length - 1;
  if (i4.indexOf("e-") != -1) {
    let [s4, a4] = i4.split("e");
    return +`${Zt(s4)}e${a4}`;
  }
  return ae(e3, n3);
};
function Qt(e3, i4) {
  return Zt(ae(Zt(e3 / i4)) * i4);
}
function fn(e3, i4) {
  return Zt(ut(Zt(e3 / i4)) * i4);
}
function yo(e3, i4) {
  return Zt(tt(Zt(e3 / i4)) * i4);
}
function ae(e3, i4 = 0) {
  if (ko(e3))
    return e3;
  let o4 = 10 ** i4, n3 = e3 * o4 * (1 + Number.EPSILON);
  return Ee(n3) / o4;
}
var Ot = /* @__PURE__ */ new Map();
function vo(e3) {
  return (("" + e3).split(".")[1] || "").length;
}
function Gl(e3, i4, o4, n3) {
  let s4 = [], a4 = n3.map(vo);
  for (let u3 = i4; u3 < o4; u3++) {
    let h4 = Ae(u3), m3 = ae(xl(e3, u3), h4);
    for (let g4 = 0; g4 < n3.length; g4++) {
      let y4 = e3 == 10 ? +`${n3[g4]}e${u3}` : n3[g4] * m3, d4 = (u3 >= 0 ? 0 : h4) + (u3 >= a4[g4] ? 0 : a4[g4]), w4 = e3 == 10 ? y4 : ae(y4, d4);
      s4.push(w4), Ot.set(w4, d4);
    }
  }
  return s4;
}
var Il = {}, ti = [], Tl = [null, null], Ht = Array.isArray, ko = Number.isInteger, Ar = (e3) => e3 === void 0;
function xo(e3) {
  return typeof e3 == "string";
}
function un(e3) {
  let i4 = !1;
  if (e3 != null) {
    let o4 = e3.constructor;
    i4 = o4 == null || o4 == Object;
  }
  return i4;
}
function Er(e3) {
  return e3 != null && typeof e3 == "object";
}
var Pr = Object.getPrototypeOf(Uint8Array), To = "__proto__";
function bl(e3, i4 = un) {
  let o4;
  if (Ht(e3)) {
    let n3 = e3.find((s4) => s4 != null);
    if (Ht(n3) || i4(n3)) {
      o4 = Array(e3.length);
      for (let s4 = 0; s4 < e3.length; s4++)
        o4[s4] = bl(e3[s4], i4);
    } else
      o4 = e3.slice();
  } else if (e3 instanceof Pr)
    o4 = e3.slice();
  else if (i4(e3)) {
    o4 = {};
    for (let n3 in e3)
      n3 != To && (o4[n3] = bl(e3[n3], i4));
  } else
    o4 = e3;
  return o4;
}
function Te(e3) {
  let i4 = arguments;
  for (let o4 = 1; o4 < i4.length; o4++) {
    let n3 = i4[o4];
    for (let s4 in n3)
      s4 != To && (un(e3[s4]) ? Te(e3[s4], bl(n3[s4])) : e3[s4] = bl(n3[s4]));
  }
  return e3;
}
var Dr = 0, Lr = 1, Cr = 2;
function Vr(e3, i4, o4) {
  for (let n3 = 0, s4, a4 = -1; n3 < i4.length; n3++) {
    let u3 = i4[n3];
    if (u3 > a4) {
      for (s4 = u3 - 1; s4 >= 0 && e3[s4] == null; )
        e3[s4--] = null;
      for (s4 = u3 + 1; s4 < o4 && e3[s4] == null; )
        e3[a4 = s4++] = null;
    }
  }
}
function Rr(e3, i4) {
  if (Or(e3)) {
    let u3 = e3[0].slice();
    for (let h4 = 1; h4 < e3.length; h4++)
      u3.push(...e3[h4].slice(1));
    return Hr(u3[0]) || (u3 = Fr(u3)), u3;
  }
  let o4 = /* @__PURE__ */ new Set();
  for (let u3 = 0; u3 < e3.length; u3++) {
    let m3 = e3[u3][0], g4 = m3.length;
    for (let y4 = 0; y4 < g4; y4++)
      o4.add(m3[y4]);
  }
  let n3 = [Array.from(o4).sort((u3, h4) => u3 - h4)], s4 = n3[0].length, a4 = /* @__PURE__ */ new Map();
  for (let u3 = 0; u3 < s4; u3++)
    a4.set(n3[0][u3], u3);
  for (let u3 = 0; u3 < e3.length; u3++) {
    let h4 = e3[u3], m3 = h4[0];
    for (let g4 = 1; g4 < h4.length; g4++) {
      let y4 = h4[g4], d4 = Array(s4).fill(void 0), w4 = i4 ? i4[u3][g4] : Lr, L3 = [];
      for (let D3 = 0; D3 < y4.length; D3++) {
        let O = y4[D3], N3 = a4.get(m3[D3]);
        O === null ? w4 != Dr && (d4[N3] = O, w4 == Cr && L3.push(N3)) : d4[N3] = O;
      }
      Vr(d4, L3, s4), n3.push(d4);
    }
  }
  return n3;
}
var zr = typeof queueMicrotask > "u" ? (e3) => Promise.resolve().then(e3) : queueMicrotask;
function Fr(e3) {
  let i4 = e3[0], o4 = i4.length, n3 = Array(o4);
  for (let a4 = 0; a4 < n3.length; a4++)
    n3[a4] = a4;
  n3.sort((a4, u3) => i4[a4] - i4[u3]);
  let s4 = [];
  for (let a4 = 0; a4 < e3.length; a4++) {
    let u3 = e3[a4], h4 = Array(o4);
    for (let m3 = 0; m3 < o4; m3++)
      h4[m3] = u3[n3[m3]];
    s4.push(h4);
  }
  return s4;
}
function Or(e3) {
  let i4 = e3[0][0], o4 = i4.length;
  for (let n3 = 1; n3 < e3.length; n3++) {
    let s4 = e3[n3][0];
    if (s4.length != o4)
      return !1;
    if (s4 != i4) {
      for (let a4 = 0; a4 < o4; a4++)
        if (s4[a4] != i4[a4])
          return !1;
    }
  }
  return !0;
}
function Hr(e3, i4 = 100) {
  let o4 = e3.length;
  if (o4 <= 1)
    return !0;
  let n3 = 0, s4 = o4 - 1;
  for (; n3 <= s4 && e3[n3] == null; )
    n3++;
  for (; s4 >= n3 && e3[s4] == null; )
    s4--;
  if (s4 <= n3)
    return !0;
  let a4 = Be(1, tt((s4 - n3 + 1) / i4));
  for (let u3 = e3[n3], h4 = n3 + a4; h4 <= s4; h4 += a4) {
    let m3 = e3[h4];
    if (m3 != null) {
      if (m3 <= u3)
        return !1;
      u3 = m3;
    }
  }
  return !0;
}
var bo = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December"
], Mo = [
  "Sunday",
  "Monday",
  "Tuesday",
  "Wednesday",
  "Thursday",
  "Friday",
  "Saturday"
];
function Ao(e3) {
  return e3.slice(0, 3);
}
var Nr = Mo.map(Ao), Wr = bo.map(Ao), Gr = {
  MMMM: bo,
  MMM: Wr,
  WWWW: Mo,
  WWW: Nr
};
function Yl(e3) {
  return (e3 < 10 ? "0" : "") + e3;
}
function Ir(e3) {
  return (e3 < 10 ? "00" : e3 < 100 ? "0" : "") + e3;
}
var Yr = {
  // 2019
  YYYY: (e3) => e3.getFullYear(),
  // 19
  YY: (e3) => (e3.getFullYear() + "").slice(2),
  // July
  MMMM: (e3, i4) => i4.MMMM[e3.getMonth()],
  // Jul
  MMM: (e3, i4) => i4.MMM[e3.getMonth()],
  // 07
  MM: (e3) => Yl(e3.getMonth() + 1),
  // 7
  M: (e3) => e3.getMonth() + 1,
  // 09
  DD: (e3) => Yl(e3.getDate()),
  // 9
  D: (e3) => e3.getDate(),
  // Monday
  WWWW: (e3, i4) => i4.WWWW[e3.getDay()],
  // Mon
  WWW: (e3, i4) => i4.WWW[e3.getDay()],
  // 03
  HH: (e3) => Yl(e3.getHours()),
  // 3
  H: (e3) => e3.getHours(),
  // 9 (12hr, unpadded)
  h: (e3) => {
    let i4 = e3.getHours();
    return i4 == 0 ? 12 : i4 > 12 ? i4 - 12 : i4;
  },
  // AM
  AA: (e3) => e3.getHours() >= 12 ? "PM" : "AM",
  // am
  aa: (e3) => e3.getHours() >= 12 ? "pm" : "am",
  // a
  a: (e3) => e3.getHours() >= 12 ? "p" : "a",
  // 09
  mm: (e3) => Yl(e3.getMinutes()),
  // 9
  m: (e3) => e3.getMinutes(),
  // 09
  ss: (e3) => Yl(e3.getSeconds()),
  // 9
  s: (e3) => e3.getSeconds(),
  // 374
  fff: (e3) => Ir(e3.getMilliseconds())
};
function li(e3, i4) {
  i4 = i4 || Gr;
  let o4 = [], n3 = /\{([a-z]+)\}|[^{]+/gi, s4;
  for (; s4 = n3.exec(e3); )
    o4.push(s4[0][0] == "{" ? Yr[s4[1]] : s4[0]);
  return (a4) => {
    let u3 = "";
    for (let h4 = 0; h4 < o4.length; h4++)
      u3 += typeof o4[h4] == "string" ? o4[h4] : o4[h4](a4, i4);
    return u3;
  };
}
var Br = new Intl.DateTimeFormat().resolvedOptions().timeZone;
function Ur(e3, i4) {
  let o4;
  return i4 == "UTC" || i4 == "Etc/UTC" ? o4 = new Date(+e3 + e3.getTimezoneOffset() * 6e4) : i4 == Br ? o4 = e3 : (o4 = new Date(e3.toLocaleString("en-US", { timeZone: i4 })), o4.setMilliseconds(e3.getMilliseconds())), o4;
}
var Eo = (e3) => e3 % 1 == 0, cn = [1, 2, 2.5, 5], Kr = Gl(10, -32, 0, cn), Po = Gl(10, 0, 32, cn), jr = Po.filter(Eo), Xt = Kr.concat(Po), ni = `
`, Do = "{YYYY}", Lo = ni + Do, Co = "{M}/{D}", Bl = ni + Co, an = Bl + "/{YY}", Vo = "{aa}", qr = "{h}:{mm}", Ml = qr + Vo, Ro = ni + Ml, zo = ":{ss}", re = null;
function Fo(e3) {
  let i4 = e3 * 1e3, o4 = i4 * 60, n3 = o4 * 60, s4 = n3 * 24, a4 = s4 * 30, u3 = s4 * 365, m3 = (e3 == 1 ? Gl(10, 0, 3, cn).filter(Eo) : Gl(10, -3, 0, cn)).concat([
    // minute divisors (# of secs)
    i4,
    i4 * 5,
    i4 * 10,
    i4 * 15,
    i4 * 30,
    // hour divisors (# of mins)
    o4,
    o4 * 5,
    o4 * 10,
    o4 * 15,
    o4 * 30,
    // day divisors (# of hrs)
    n3,
    n3 * 2,
    n3 * 3,
    n3 * 4,
    n3 * 6,
    n3 * 8,
    n3 * 12,
    // month divisors TODO: need more?
    s4,
    s4 * 2,
    s4 * 3,
    s4 * 4,
    s4 * 5,
    s4 * 6,
    s4 * 7,
    s4 * 8,
    s4 * 9,
    s4 * 10,
    s4 * 15,
    // year divisors (# months, approx)
    a4,
    a4 * 2,
    a4 * 3,
    a4 * 4,
    a4 * 6,
    // century divisors
    u3,
    u3 * 2,
    u3 * 5,
    u3 * 10,
    u3 * 25,
    u3 * 50,
    u3 * 100
  ]), g4 = [
    //   tick incr    default          year                    month   day                   hour    min       sec   mode
    [u3, Do, re, re, re, re, re, re, 1],
    [s4 * 28, "{MMM}", Lo, re, re, re, re, re, 1],
    [s4, Co, Lo, re, re, re, re, re, 1],
    [n3, "{h}" + Vo, an, re, Bl, re, re, re, 1],
    [o4, Ml, an, re, Bl, re, re, re, 1],
    [i4, zo, an + " " + Ml, re, Bl + " " + Ml, re, Ro, re, 1],
    [e3, zo + ".{fff}", an + " " + Ml, re, Bl + " " + Ml, re, Ro, re, 1]
  ];
  function y4(d4) {
    return (w4, L3, D3, O, N3, G4) => {
      let k2 = [], H3 = N3 >= u3, x2 = N3 >= a4 && N3 < u3, q3 = d4(D3), P3 = ae(q3 * e3, 3), $2 = ii(q3.getFullYear(), H3 ? 0 : q3.getMonth(), x2 || H3 ? 1 : q3.getDate()), U2 = ae($2 * e3, 3);
      if (x2 || H3) {
        let Q2 = x2 ? N3 / a4 : 0, B4 = H3 ? N3 / u3 : 0, T4 = P3 == U2 ? P3 : ae(ii($2.getFullYear() + B4, $2.getMonth() + Q2, 1) * e3, 3), j3 = new Date(Ee(T4 / e3)), C3 = j3.getFullYear(), I2 = j3.getMonth();
        for (let F3 = 0; T4 <= O; F3++) {
          let ee = ii(C3 + B4 * F3, I2 + Q2 * F3, 1), z3 = ee - d4(ae(ee * e3, 3));
          T4 = ae((+ee + z3) * e3, 3), T4 <= O && k2.push(T4);
        }
      } else {
        let Q2 = N3 >= s4 ? s4 : N3, B4 = tt(D3) - tt(P3), T4 = U2 + B4 + fn(P3 - U2, Q2);
        k2.push(T4);
        let j3 = d4(T4), C3 = j3.getHours() + j3.getMinutes() / o4 + j3.getSeconds() / n3, I2 = N3 / n3, F3 = w4.axes[L3]._space, ee = G4 / F3;
        for (; T4 = ae(T4 + N3, e3 == 1 ? 0 : 3), !(T4 > O); )
          if (I2 > 1) {
            let z3 = tt(ae(C3 + I2, 6)) % 24, te = d4(T4).getHours() - z3;
            te > 1 && (te = -1), T4 -= te * n3, C3 = (C3 + I2) % 24;
            let fe = k2[k2.length - 1];
            ae((T4 - fe) / N3, 3) * ee >= 0.7 && k2.push(T4);
          } else
            k2.push(T4);
      }
      return k2;
    };
  }
  return [
    m3,
    g4,
    y4
  ];
}
var [$r, Jr, Zr] = Fo(1), [Qr, Xr, ef] = Fo(1e-3);
Gl(2, -53, 53, [1]);
function Oo(e3, i4) {
  return e3.map((o4) => o4.map(
    (n3, s4) => s4 == 0 || s4 == 8 || n3 == null ? n3 : i4(s4 == 1 || o4[8] == 0 ? n3 : o4[1] + n3)
  ));
}
function Ho(e3, i4) {
  return (o4, n3, s4, a4, u3) => {
    let h4 = i4.find((D3) => u3 >= D3[0]) || i4[i4.length - 1], m3, g4, y4, d4, w4, L3;
    return n3.map((D3) => {
      let O = e3(D3), N3 = O.getFullYear(), G4 = O.getMonth(), k2 = O.getDate(), H3 = O.getHours(), x2 = O.getMinutes(), q3 = O.getSeconds(), P3 = N3 != m3 && h4[2] || G4 != g4 && h4[3] || k2 != y4 && h4[4] || H3 != d4 && h4[5] || x2 != w4 && h4[6] || q3 != L3 && h4[7] || h4[1];
      return m3 = N3, g4 = G4, y4 = k2, d4 = H3, w4 = x2, L3 = q3, P3(O);
    });
  };
}
function tf(e3, i4) {
  let o4 = li(i4);
  return (n3, s4, a4, u3, h4) => s4.map((m3) => o4(e3(m3)));
}
function ii(e3, i4, o4) {
  return new Date(e3, i4, o4);
}
function No(e3, i4) {
  return i4(e3);
}
var lf = "{YYYY}-{MM}-{DD} {h}:{mm}{aa}";
function Wo(e3, i4) {
  return (o4, n3, s4, a4) => a4 == null ? Bn : i4(e3(n3));
}
function nf(e3, i4) {
  let o4 = e3.series[i4];
  return o4.width ? o4.stroke(e3, i4) : o4.points.width ? o4.points.stroke(e3, i4) : null;
}
function of(e3, i4) {
  return e3.series[i4].fill(e3, i4);
}
var sf = {
  show: !0,
  live: !0,
  isolate: !1,
  mount: Tr,
  markers: {
    show: !0,
    width: 2,
    stroke: nf,
    fill: of,
    dash: "solid"
  },
  idx: null,
  idxs: null,
  values: []
};
function rf(e3, i4) {
  let o4 = e3.cursor.points, n3 = ft(), s4 = o4.size(e3, i4);
  de(n3, Hl, s4), de(n3, Nl, s4);
  let a4 = s4 / -2;
  de(n3, "marginLeft", a4), de(n3, "marginTop", a4);
  let u3 = o4.width(e3, i4, s4);
  return u3 && de(n3, "borderWidth", u3), n3;
}
function ff(e3, i4) {
  let o4 = e3.series[i4].points;
  return o4._fill || o4._stroke;
}
function uf(e3, i4) {
  let o4 = e3.series[i4].points;
  return o4._stroke || o4._fill;
}
function cf(e3, i4) {
  return e3.series[i4].points.size;
}
var oi = [0, 0];
function af(e3, i4, o4) {
  return oi[0] = i4, oi[1] = o4, oi;
}
function pn(e3, i4, o4, n3 = !0) {
  return (s4) => {
    s4.button == 0 && (!n3 || s4.target == i4) && o4(s4);
  };
}
function si(e3, i4, o4, n3 = !0) {
  return (s4) => {
    (!n3 || s4.target == i4) && o4(s4);
  };
}
var pf = {
  show: !0,
  x: !0,
  y: !0,
  lock: !1,
  move: af,
  points: {
    one: !1,
    show: rf,
    size: cf,
    width: 0,
    stroke: uf,
    fill: ff
  },
  bind: {
    mousedown: pn,
    mouseup: pn,
    click: pn,
    // legend clicks, not .u-over clicks
    dblclick: pn,
    mousemove: si,
    mouseleave: si,
    mouseenter: si
  },
  drag: {
    setScale: !0,
    x: !0,
    y: !1,
    dist: 0,
    uni: null,
    click: (e3, i4) => {
      i4.stopPropagation(), i4.stopImmediatePropagation();
    },
    _x: !1,
    _y: !1
  },
  focus: {
    dist: (e3, i4, o4, n3, s4) => n3 - s4,
    prox: -1,
    bias: 0
  },
  hover: {
    skip: [void 0],
    prox: null,
    bias: 0
  },
  left: -10,
  top: -10,
  idx: null,
  dataIdx: null,
  idxs: null,
  event: null
}, Go = {
  show: !0,
  stroke: "rgba(0,0,0,0.07)",
  width: 2
  //	dash: [],
}, ri = Te({}, Go, {
  filter: wo
}), Io = Te({}, ri, {
  size: 10
}), Yo = Te({}, Go, {
  show: !1
}), fi = '12px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans", sans-serif, "Apple Color Emoji", "Segoe UI Emoji", "Segoe UI Symbol", "Noto Color Emoji"', Bo = "bold " + fi, Uo = 1.5, Ko = {
  show: !0,
  scale: "x",
  stroke: Gn,
  space: 50,
  gap: 5,
  alignTo: 1,
  size: 50,
  labelGap: 0,
  labelSize: 30,
  labelFont: Bo,
  side: 2,
  //	class: "x-vals",
  //	incrs: timeIncrs,
  //	values: timeVals,
  //	filter: retArg1,
  grid: ri,
  ticks: Io,
  border: Yo,
  font: fi,
  lineGap: Uo,
  rotate: 0
}, hf = "Value", mf = "Time", jo = {
  show: !0,
  scale: "x",
  auto: !1,
  sorted: 1,
  //	label: "Time",
  //	value: v => stamp(new Date(v * 1e3)),
  // internal caches
  min: ce,
  max: -ce,
  idxs: []
};
function gf(e3, i4, o4, n3, s4) {
  return i4.map((a4) => a4 == null ? "" : Qn(a4));
}
function df(e3, i4, o4, n3, s4, a4, u3) {
  let h4 = [], m3 = Ot.get(s4) || 0;
  o4 = u3 ? o4 : ae(fn(o4, s4), m3);
  for (let g4 = o4; g4 <= n3; g4 = ae(g4 + s4, m3))
    h4.push(Object.is(g4, -0) ? 0 : g4);
  return h4;
}
function ui(e3, i4, o4, n3, s4, a4, u3) {
  let h4 = [], m3 = e3.scales[e3.axes[i4].scale].log, g4 = m3 == 10 ? Pt : po, y4 = tt(g4(o4));
  s4 = xl(m3, y4), m3 == 10 && (s4 = Xt[dt(s4, Xt)]);
  let d4 = o4, w4 = s4 * m3;
  m3 == 10 && (w4 = Xt[dt(w4, Xt)]);
  do
    h4.push(d4), d4 = d4 + s4, m3 == 10 && !Ot.has(d4) && (d4 = ae(d4, Ot.get(s4))), d4 >= w4 && (s4 = d4, w4 = s4 * m3, m3 == 10 && (w4 = Xt[dt(w4, Xt)]));
  while (d4 <= n3);
  return h4;
}
function wf(e3, i4, o4, n3, s4, a4, u3) {
  let m3 = e3.scales[e3.axes[i4].scale].asinh, g4 = n3 > m3 ? ui(e3, i4, Be(m3, o4), n3, s4) : [m3], y4 = n3 >= 0 && o4 <= 0 ? [0] : [];
  return (o4 < -m3 ? ui(e3, i4, Be(m3, -n3), -o4, s4) : [m3]).reverse().map((w4) => -w4).concat(y4, g4);
}
var qo = /./, Sf = /[12357]/, _f = /[125]/, $o = /1/, ci = (e3, i4, o4, n3) => e3.map((s4, a4) => i4 == 4 && s4 == 0 || a4 % n3 == 0 && o4.test(s4.toExponential()[s4 < 0 ? 1 : 0]) ? s4 : null);
function yf(e3, i4, o4, n3, s4) {
  let a4 = e3.axes[o4], u3 = a4.scale, h4 = e3.scales[u3], m3 = e3.valToPos, g4 = a4._space, y4 = m3(10, u3), d4 = m3(9, u3) - y4 >= g4 ? qo : m3(7, u3) - y4 >= g4 ? Sf : m3(5, u3) - y4 >= g4 ? _f : $o;
  if (d4 == $o) {
    let w4 = Ae(m3(1, u3) - y4);
    if (w4 < g4)
      return ci(i4.slice().reverse(), h4.distr, d4, ut(g4 / w4)).reverse();
  }
  return ci(i4, h4.distr, d4, 1);
}
function vf(e3, i4, o4, n3, s4) {
  let a4 = e3.axes[o4], u3 = a4.scale, h4 = a4._space, m3 = e3.valToPos, g4 = Ae(m3(1, u3) - m3(2, u3));
  return g4 < h4 ? ci(i4.slice().reverse(), 3, qo, ut(h4 / g4)).reverse() : i4;
}
function kf(e3, i4, o4, n3) {
  return n3 == null ? Bn : i4 == null ? "" : Qn(i4);
}
var Jo = {
  show: !0,
  scale: "y",
  stroke: Gn,
  space: 30,
  gap: 5,
  alignTo: 1,
  size: 50,
  labelGap: 0,
  labelSize: 30,
  labelFont: Bo,
  side: 3,
  //	class: "y-vals",
  //	incrs: numIncrs,
  //	values: (vals, space) => vals,
  //	filter: retArg1,
  grid: ri,
  ticks: Io,
  border: Yo,
  font: fi,
  lineGap: Uo,
  rotate: 0
};
function xf(e3, i4) {
  let o4 = 3 + (e3 || 1) * 2;
  return ae(o4 * i4, 3);
}
function Tf(e3, i4) {
  let { scale: o4, idxs: n3 } = e3.series[0], s4 = e3._data[0], a4 = e3.valToPos(s4[n3[0]], o4, !0), u3 = e3.valToPos(s4[n3[1]], o4, !0), h4 = Ae(u3 - a4), m3 = e3.series[i4], g4 = h4 / (m3.points.space * oe);
  return n3[1] - n3[0] <= g4;
}
var Zo = {
  scale: null,
  auto: !0,
  sorted: 0,
  // internal caches
  min: ce,
  max: -ce
}, Qo = (e3, i4, o4, n3, s4) => s4, Xo = {
  show: !0,
  auto: !0,
  sorted: 0,
  gaps: Qo,
  alpha: 1,
  facets: [
    Te({}, Zo, { scale: "x" }),
    Te({}, Zo, { scale: "y" })
  ]
}, es = {
  scale: "y",
  auto: !0,
  sorted: 0,
  show: !0,
  spanGaps: !1,
  gaps: Qo,
  alpha: 1,
  points: {
    show: Tf,
    filter: null
    //  paths:
    //	stroke: "#000",
    //	fill: "#fff",
    //	width: 1,
    //	size: 10,
  },
  //	label: "Value",
  //	value: v => v,
  values: null,
  // internal caches
  min: ce,
  max: -ce,
  idxs: [],
  path: null,
  clip: null
};
function bf(e3, i4, o4, n3, s4) {
  return o4 / 10;
}
var ts = {
  time: !0,
  auto: !0,
  distr: 1,
  log: 10,
  asinh: 1,
  min: null,
  max: null,
  dir: 1,
  ori: 0
}, Mf = Te({}, ts, {
  time: !1,
  ori: 1
}), ls = {};
function ns(e3, i4) {
  let o4 = ls[e3];
  return o4 || (o4 = {
    key: e3,
    plots: [],
    sub(n3) {
      o4.plots.push(n3);
    },
    unsub(n3) {
      o4.plots = o4.plots.filter((s4) => s4 != n3);
    },
    pub(n3, s4, a4, u3, h4, m3, g4) {
      for (let y4 = 0; y4 < o4.plots.length; y4++)
        o4.plots[y4] != s4 && o4.plots[y4].pub(n3, s4, a4, u3, h4, m3, g4);
    }
  }, e3 != null && (ls[e3] = o4)), o4;
}
var Al = 1, ai = 2;
function el(e3, i4, o4) {
  let n3 = e3.mode, s4 = e3.series[i4], a4 = n3 == 2 ? e3._data[i4] : e3._data, u3 = e3.scales, h4 = e3.bbox, m3 = a4[0], g4 = n3 == 2 ? a4[1] : a4[i4], y4 = n3 == 2 ? u3[s4.facets[0].scale] : u3[e3.series[0].scale], d4 = n3 == 2 ? u3[s4.facets[1].scale] : u3[s4.scale], w4 = h4.left, L3 = h4.top, D3 = h4.width, O = h4.height, N3 = e3.valToPosH, G4 = e3.valToPosV;
  return y4.ori == 0 ? o4(
    s4,
    m3,
    g4,
    y4,
    d4,
    N3,
    G4,
    w4,
    L3,
    D3,
    O,
    mn,
    El,
    dn,
    ss,
    fs
  ) : o4(
    s4,
    m3,
    g4,
    y4,
    d4,
    G4,
    N3,
    L3,
    w4,
    O,
    D3,
    gn,
    Pl,
    mi,
    rs,
    us
  );
}
function pi(e3, i4) {
  let o4 = 0, n3 = 0, s4 = ne(e3.bands, ti);
  for (let a4 = 0; a4 < s4.length; a4++) {
    let u3 = s4[a4];
    u3.series[0] == i4 ? o4 = u3.dir : u3.series[1] == i4 && (u3.dir == 1 ? n3 |= 1 : n3 |= 2);
  }
  return [
    o4,
    n3 == 1 ? -1 : (
      // neg only
      n3 == 2 ? 1 : (
        // pos only
        n3 == 3 ? 2 : (
          // both
          0
        )
      )
    )
  ];
}
function Af(e3, i4, o4, n3, s4) {
  let a4 = e3.mode, u3 = e3.series[i4], h4 = a4 == 2 ? u3.facets[1].scale : u3.scale, m3 = e3.scales[h4];
  return s4 == -1 ? m3.min : s4 == 1 ? m3.max : m3.distr == 3 ? m3.dir == 1 ? m3.min : m3.max : 0;
}
function Dt(e3, i4, o4, n3, s4, a4) {
  return el(e3, i4, (u3, h4, m3, g4, y4, d4, w4, L3, D3, O, N3) => {
    let G4 = u3.pxRound, k2 = g4.dir * (g4.ori == 0 ? 1 : -1), H3 = g4.ori == 0 ? El : Pl, x2, q3;
    k2 == 1 ? (x2 = o4, q3 = n3) : (x2 = n3, q3 = o4);
    let P3 = G4(d4(h4[x2], g4, O, L3)), $2 = G4(w4(m3[x2], y4, N3, D3)), U2 = G4(d4(h4[q3], g4, O, L3)), Q2 = G4(w4(a4 == 1 ? y4.max : y4.min, y4, N3, D3)), B4 = new Path2D(s4);
    return H3(B4, U2, Q2), H3(B4, P3, Q2), H3(B4, P3, $2), B4;
  });
}
function hn(e3, i4, o4, n3, s4, a4) {
  let u3 = null;
  if (e3.length > 0) {
    u3 = new Path2D();
    let h4 = i4 == 0 ? dn : mi, m3 = o4;
    for (let d4 = 0; d4 < e3.length; d4++) {
      let w4 = e3[d4];
      if (w4[1] > w4[0]) {
        let L3 = w4[0] - m3;
        L3 > 0 && h4(u3, m3, n3, L3, n3 + a4), m3 = w4[1];
      }
    }
    let g4 = o4 + s4 - m3, y4 = 10;
    g4 > 0 && h4(u3, m3, n3 - y4 / 2, g4, n3 + a4 + y4);
  }
  return u3;
}
function Ef(e3, i4, o4) {
  let n3 = e3[e3.length - 1];
  n3 && n3[0] == i4 ? n3[1] = o4 : e3.push([i4, o4]);
}
function hi(e3, i4, o4, n3, s4, a4, u3) {
  let h4 = [], m3 = e3.length;
  for (let g4 = s4 == 1 ? o4 : n3; g4 >= o4 && g4 <= n3; g4 += s4)
    if (i4[g4] === null) {
      let d4 = g4, w4 = g4;
      if (s4 == 1)
        for (; ++g4 <= n3 && i4[g4] === null; )
          w4 = g4;
      else
        for (; --g4 >= o4 && i4[g4] === null; )
          w4 = g4;
      let L3 = a4(e3[d4]), D3 = w4 == d4 ? L3 : a4(e3[w4]), O = d4 - s4;
      L3 = u3 <= 0 && O >= 0 && O < m3 ? a4(e3[O]) : L3;
      let G4 = w4 + s4;
      D3 = u3 >= 0 && G4 >= 0 && G4 < m3 ? a4(e3[G4]) : D3, D3 >= L3 && h4.push([L3, D3]);
    }
  return h4;
}
function is(e3) {
  return e3 == 0 ? go : e3 == 1 ? Ee : (i4) => Qt(i4, e3);
}
function os(e3) {
  let i4 = e3 == 0 ? mn : gn, o4 = e3 == 0 ? (s4, a4, u3, h4, m3, g4) => {
    s4.arcTo(a4, u3, h4, m3, g4);
  } : (s4, a4, u3, h4, m3, g4) => {
    s4.arcTo(u3, a4, m3, h4, g4);
  }, n3 = e3 == 0 ? (s4, a4, u3, h4, m3) => {
    s4.rect(a4, u3, h4, m3);
  } : (s4, a4, u3, h4, m3) => {
    s4.rect(u3, a4, m3, h4);
  };
  return (s4, a4, u3, h4, m3, g4 = 0, y4 = 0) => {
    g4 == 0 && y4 == 0 ? n3(s4, a4, u3, h4, m3) : (g4 = wt(g4, h4 / 2, m3 / 2), y4 = wt(y4, h4 / 2, m3 / 2), i4(s4, a4 + g4, u3), o4(s4, a4 + h4, u3, a4 + h4, u3 + m3, g4), o4(s4, a4 + h4, u3 + m3, a4, u3 + m3, y4), o4(s4, a4, u3 + m3, a4, u3, y4), o4(s4, a4, u3, a4 + h4, u3, g4), s4.closePath());
  };
}
var mn = (e3, i4, o4) => {
  e3.moveTo(i4, o4);
}, gn = (e3, i4, o4) => {
  e3.moveTo(o4, i4);
}, El = (e3, i4, o4) => {
  e3.lineTo(i4, o4);
}, Pl = (e3, i4, o4) => {
  e3.lineTo(o4, i4);
}, dn = os(0), mi = os(1), ss = (e3, i4, o4, n3, s4, a4) => {
  e3.arc(i4, o4, n3, s4, a4);
}, rs = (e3, i4, o4, n3, s4, a4) => {
  e3.arc(o4, i4, n3, s4, a4);
}, fs = (e3, i4, o4, n3, s4, a4, u3) => {
  e3.bezierCurveTo(i4, o4, n3, s4, a4, u3);
}, us = (e3, i4, o4, n3, s4, a4, u3) => {
  e3.bezierCurveTo(o4, i4, s4, n3, u3, a4);
};
function cs(e3) {
  return (i4, o4, n3, s4, a4) => el(i4, o4, (u3, h4, m3, g4, y4, d4, w4, L3, D3, O, N3) => {
    let { pxRound: G4, points: k2 } = u3, H3, x2;
    g4.ori == 0 ? (H3 = mn, x2 = ss) : (H3 = gn, x2 = rs);
    let q3 = ae(k2.width * oe, 3), P3 = (k2.size - k2.width) / 2 * oe, $2 = ae(P3 * 2, 3), U2 = new Path2D(), Q2 = new Path2D(), { left: B4, top: T4, width: j3, height: C3 } = i4.bbox;
    dn(
      Q2,
      B4 - $2,
      T4 - $2,
      j3 + $2 * 2,
      C3 + $2 * 2
    );
    let I2 = (F3) => {
      if (m3[F3] != null) {
        let ee = G4(d4(h4[F3], g4, O, L3)), z3 = G4(w4(m3[F3], y4, N3, D3));
        H3(U2, ee + P3, z3), x2(U2, ee, z3, P3, 0, rn * 2);
      }
    };
    if (a4)
      a4.forEach(I2);
    else
      for (let F3 = n3; F3 <= s4; F3++)
        I2(F3);
    return {
      stroke: q3 > 0 ? U2 : null,
      fill: U2,
      clip: Q2,
      flags: Al | ai
    };
  });
}
function as(e3) {
  return (i4, o4, n3, s4, a4, u3) => {
    n3 != s4 && (a4 != n3 && u3 != n3 && e3(i4, o4, n3), a4 != s4 && u3 != s4 && e3(i4, o4, s4), e3(i4, o4, u3));
  };
}
var Pf = as(El), Df = as(Pl);
function ps(e3) {
  let i4 = ne(e3?.alignGaps, 0);
  return (o4, n3, s4, a4) => el(o4, n3, (u3, h4, m3, g4, y4, d4, w4, L3, D3, O, N3) => {
    [s4, a4] = nn(m3, s4, a4);
    let G4 = u3.pxRound, k2 = (C3) => G4(d4(C3, g4, O, L3)), H3 = (C3) => G4(w4(C3, y4, N3, D3)), x2, q3;
    g4.ori == 0 ? (x2 = El, q3 = Pf) : (x2 = Pl, q3 = Df);
    let P3 = g4.dir * (g4.ori == 0 ? 1 : -1), $2 = { stroke: new Path2D(), fill: null, clip: null, band: null, gaps: null, flags: Al }, U2 = $2.stroke, Q2 = !1;
    if (a4 - s4 >= O * 4) {
      let C3 = (V3) => o4.posToVal(V3, g4.key, !0), I2 = null, F3 = null, ee, z3, Ue, we = k2(h4[P3 == 1 ? s4 : a4]), te = k2(h4[s4]), fe = k2(h4[a4]), J2 = C3(P3 == 1 ? te + 1 : fe - 1);
      for (let V3 = P3 == 1 ? s4 : a4; V3 >= s4 && V3 <= a4; V3 += P3) {
        let be = h4[V3], Se = (P3 == 1 ? be < J2 : be > J2) ? we : k2(be), se = m3[V3];
        Se == we ? se != null ? (z3 = se, I2 == null ? (x2(U2, Se, H3(z3)), ee = I2 = F3 = z3) : z3 < I2 ? I2 = z3 : z3 > F3 && (F3 = z3)) : se === null && (Q2 = !0) : (I2 != null && q3(U2, we, H3(I2), H3(F3), H3(ee), H3(z3)), se != null ? (z3 = se, x2(U2, Se, H3(z3)), I2 = F3 = ee = z3) : (I2 = F3 = null, se === null && (Q2 = !0)), we = Se, J2 = C3(we + P3));
      }
      I2 != null && I2 != F3 && Ue != we && q3(U2, we, H3(I2), H3(F3), H3(ee), H3(z3));
    } else
      for (let C3 = P3 == 1 ? s4 : a4; C3 >= s4 && C3 <= a4; C3 += P3) {
        let I2 = m3[C3];
        I2 === null ? Q2 = !0 : I2 != null && x2(U2, k2(h4[C3]), H3(I2));
      }
    let [T4, j3] = pi(o4, n3);
    if (u3.fill != null || T4 != 0) {
      let C3 = $2.fill = new Path2D(U2), I2 = u3.fillTo(o4, n3, u3.min, u3.max, T4), F3 = H3(I2), ee = k2(h4[s4]), z3 = k2(h4[a4]);
      P3 == -1 && ([z3, ee] = [ee, z3]), x2(C3, z3, F3), x2(C3, ee, F3);
    }
    if (!u3.spanGaps) {
      let C3 = [];
      Q2 && C3.push(...hi(h4, m3, s4, a4, P3, k2, i4)), $2.gaps = C3 = u3.gaps(o4, n3, s4, a4, C3), $2.clip = hn(C3, g4.ori, L3, D3, O, N3);
    }
    return j3 != 0 && ($2.band = j3 == 2 ? [
      Dt(o4, n3, s4, a4, U2, -1),
      Dt(o4, n3, s4, a4, U2, 1)
    ] : Dt(o4, n3, s4, a4, U2, j3)), $2;
  });
}
function Lf(e3) {
  let i4 = ne(e3.align, 1), o4 = ne(e3.ascDesc, !1), n3 = ne(e3.alignGaps, 0), s4 = ne(e3.extend, !1);
  return (a4, u3, h4, m3) => el(a4, u3, (g4, y4, d4, w4, L3, D3, O, N3, G4, k2, H3) => {
    [h4, m3] = nn(d4, h4, m3);
    let x2 = g4.pxRound, { left: q3, width: P3 } = a4.bbox, $2 = (te) => x2(D3(te, w4, k2, N3)), U2 = (te) => x2(O(te, L3, H3, G4)), Q2 = w4.ori == 0 ? El : Pl, B4 = { stroke: new Path2D(), fill: null, clip: null, band: null, gaps: null, flags: Al }, T4 = B4.stroke, j3 = w4.dir * (w4.ori == 0 ? 1 : -1), C3 = U2(d4[j3 == 1 ? h4 : m3]), I2 = $2(y4[j3 == 1 ? h4 : m3]), F3 = I2, ee = I2;
    s4 && i4 == -1 && (ee = q3, Q2(T4, ee, C3)), Q2(T4, I2, C3);
    for (let te = j3 == 1 ? h4 : m3; te >= h4 && te <= m3; te += j3) {
      let fe = d4[te];
      if (fe == null)
        continue;
      let J2 = $2(y4[te]), V3 = U2(fe);
      i4 == 1 ? Q2(T4, J2, C3) : Q2(T4, F3, V3), Q2(T4, J2, V3), C3 = V3, F3 = J2;
    }
    let z3 = F3;
    s4 && i4 == 1 && (z3 = q3 + P3, Q2(T4, z3, C3));
    let [Ue, we] = pi(a4, u3);
    if (g4.fill != null || Ue != 0) {
      let te = B4.fill = new Path2D(T4), fe = g4.fillTo(a4, u3, g4.min, g4.max, Ue), J2 = U2(fe);
      Q2(te, z3, J2), Q2(te, ee, J2);
    }
    if (!g4.spanGaps) {
      let te = [];
      te.push(...hi(y4, d4, h4, m3, j3, $2, n3));
      let fe = g4.width * oe / 2, J2 = o4 || i4 == 1 ? fe : -fe, V3 = o4 || i4 == -1 ? -fe : fe;
      te.forEach((be) => {
        be[0] += J2, be[1] += V3;
      }), B4.gaps = te = g4.gaps(a4, u3, h4, m3, te), B4.clip = hn(te, w4.ori, N3, G4, k2, H3);
    }
    return we != 0 && (B4.band = we == 2 ? [
      Dt(a4, u3, h4, m3, T4, -1),
      Dt(a4, u3, h4, m3, T4, 1)
    ] : Dt(a4, u3, h4, m3, T4, we)), B4;
  });
}
function hs(e3, i4, o4, n3, s4, a4, u3 = ce) {
  if (e3.length > 1) {
    let h4 = null;
    for (let m3 = 0, g4 = 1 / 0; m3 < e3.length; m3++)
      if (i4[m3] !== void 0) {
        if (h4 != null) {
          let y4 = Ae(e3[m3] - e3[h4]);
          y4 < g4 && (g4 = y4, u3 = Ae(o4(e3[m3], n3, s4, a4) - o4(e3[h4], n3, s4, a4)));
        }
        h4 = m3;
      }
  }
  return u3;
}
function Cf(e3) {
  e3 = e3 || Il;
  let i4 = ne(e3.size, [0.6, ce, 1]), o4 = e3.align || 0, n3 = e3.gap || 0, s4 = e3.radius;
  s4 = // [valueRadius, baselineRadius]
  s4 == null ? [0, 0] : typeof s4 == "number" ? [s4, 0] : s4;
  let a4 = X(s4), u3 = 1 - i4[0], h4 = ne(i4[1], ce), m3 = ne(i4[2], 1), g4 = ne(e3.disp, Il), y4 = ne(e3.each, (L3) => {
  }), { fill: d4, stroke: w4 } = g4;
  return (L3, D3, O, N3) => el(L3, D3, (G4, k2, H3, x2, q3, P3, $2, U2, Q2, B4, T4) => {
    let j3 = G4.pxRound, C3 = o4, I2 = n3 * oe, F3 = h4 * oe, ee = m3 * oe, z3, Ue;
    x2.ori == 0 ? [z3, Ue] = a4(L3, D3) : [Ue, z3] = a4(L3, D3);
    let we = x2.dir * (x2.ori == 0 ? 1 : -1), te = x2.ori == 0 ? dn : mi, fe = x2.ori == 0 ? y4 : (A3, pe, Me, il, Gt, _t, It) => {
      y4(A3, pe, Me, Gt, il, It, _t);
    }, J2 = ne(L3.bands, ti).find((A3) => A3.series[0] == D3), V3 = J2 != null ? J2.dir : 0, be = G4.fillTo(L3, D3, G4.min, G4.max, V3), Ne = j3($2(be, q3, T4, Q2)), Se, se, ct2, qe = B4, ye = j3(G4.width * oe), St = !1, Mt = null, lt2 = null, Lt = null, tl = null;
    d4 != null && (ye == 0 || w4 != null) && (St = !0, Mt = d4.values(L3, D3, O, N3), lt2 = /* @__PURE__ */ new Map(), new Set(Mt).forEach((A3) => {
      A3 != null && lt2.set(A3, new Path2D());
    }), ye > 0 && (Lt = w4.values(L3, D3, O, N3), tl = /* @__PURE__ */ new Map(), new Set(Lt).forEach((A3) => {
      A3 != null && tl.set(A3, new Path2D());
    })));
    let { x0: ll, size: Dl } = g4;
    if (ll != null && Dl != null) {
      C3 = 1, k2 = ll.values(L3, D3, O, N3), ll.unit == 2 && (k2 = k2.map((Me) => L3.posToVal(U2 + Me * B4, x2.key, !0)));
      let A3 = Dl.values(L3, D3, O, N3);
      Dl.unit == 2 ? se = A3[0] * B4 : se = P3(A3[0], x2, B4, U2) - P3(0, x2, B4, U2), qe = hs(k2, H3, P3, x2, B4, U2, qe), ct2 = qe - se + I2;
    } else
      qe = hs(k2, H3, P3, x2, B4, U2, qe), ct2 = qe * u3 + I2, se = qe - ct2;
    ct2 < 1 && (ct2 = 0), ye >= se / 2 && (ye = 0), ct2 < 5 && (j3 = go);
    let Ul = ct2 > 0, Nt = qe - ct2 - (Ul ? ye : 0);
    se = j3(ei(Nt, ee, F3)), Se = (C3 == 0 ? se / 2 : C3 == we ? 0 : se) - C3 * we * ((C3 == 0 ? I2 / 2 : 0) + (Ul ? ye / 2 : 0));
    let We = { stroke: null, fill: null, clip: null, band: null, gaps: null, flags: 0 }, nl = St ? null : new Path2D(), At = null;
    if (J2 != null)
      At = L3.data[J2.series[1]];
    else {
      let { y0: A3, y1: pe } = g4;
      A3 != null && pe != null && (H3 = pe.values(L3, D3, O, N3), At = A3.values(L3, D3, O, N3));
    }
    let Wt = z3 * se, K3 = Ue * se;
    for (let A3 = we == 1 ? O : N3; A3 >= O && A3 <= N3; A3 += we) {
      let pe = H3[A3];
      if (pe == null)
        continue;
      if (At != null) {
        let Ke = At[A3] ?? 0;
        if (pe - Ke == 0)
          continue;
        Ne = $2(Ke, q3, T4, Q2);
      }
      let Me = x2.distr != 2 || g4 != null ? k2[A3] : A3, il = P3(Me, x2, B4, U2), Gt = $2(ne(pe, be), q3, T4, Q2), _t = j3(il - Se), It = j3(Be(Gt, Ne)), $e = j3(wt(Gt, Ne)), nt = It - $e;
      if (pe != null) {
        let Ke = pe < 0 ? K3 : Wt, at = pe < 0 ? Wt : K3;
        St ? (ye > 0 && Lt[A3] != null && te(tl.get(Lt[A3]), _t, $e + tt(ye / 2), se, Be(0, nt - ye), Ke, at), Mt[A3] != null && te(lt2.get(Mt[A3]), _t, $e + tt(ye / 2), se, Be(0, nt - ye), Ke, at)) : te(nl, _t, $e + tt(ye / 2), se, Be(0, nt - ye), Ke, at), fe(
          L3,
          D3,
          A3,
          _t - ye / 2,
          $e,
          se + ye,
          nt
        );
      }
    }
    return ye > 0 ? We.stroke = St ? tl : nl : St || (We._fill = G4.width == 0 ? G4._fill : G4._stroke ?? G4._fill, We.width = 0), We.fill = St ? lt2 : nl, We;
  });
}
function Vf(e3, i4) {
  let o4 = ne(i4?.alignGaps, 0);
  return (n3, s4, a4, u3) => el(n3, s4, (h4, m3, g4, y4, d4, w4, L3, D3, O, N3, G4) => {
    [a4, u3] = nn(g4, a4, u3);
    let k2 = h4.pxRound, H3 = (z3) => k2(w4(z3, y4, N3, D3)), x2 = (z3) => k2(L3(z3, d4, G4, O)), q3, P3, $2;
    y4.ori == 0 ? (q3 = mn, $2 = El, P3 = fs) : (q3 = gn, $2 = Pl, P3 = us);
    let U2 = y4.dir * (y4.ori == 0 ? 1 : -1), Q2 = H3(m3[U2 == 1 ? a4 : u3]), B4 = Q2, T4 = [], j3 = [];
    for (let z3 = U2 == 1 ? a4 : u3; z3 >= a4 && z3 <= u3; z3 += U2)
      if (g4[z3] != null) {
        let we = m3[z3], te = H3(we);
        T4.push(B4 = te), j3.push(x2(g4[z3]));
      }
    let C3 = { stroke: e3(T4, j3, q3, $2, P3, k2), fill: null, clip: null, band: null, gaps: null, flags: Al }, I2 = C3.stroke, [F3, ee] = pi(n3, s4);
    if (h4.fill != null || F3 != 0) {
      let z3 = C3.fill = new Path2D(I2), Ue = h4.fillTo(n3, s4, h4.min, h4.max, F3), we = x2(Ue);
      $2(z3, B4, we), $2(z3, Q2, we);
    }
    if (!h4.spanGaps) {
      let z3 = [];
      z3.push(...hi(m3, g4, a4, u3, U2, H3, o4)), C3.gaps = z3 = h4.gaps(n3, s4, a4, u3, z3), C3.clip = hn(z3, y4.ori, D3, O, N3, G4);
    }
    return ee != 0 && (C3.band = ee == 2 ? [
      Dt(n3, s4, a4, u3, I2, -1),
      Dt(n3, s4, a4, u3, I2, 1)
    ] : Dt(n3, s4, a4, u3, I2, ee)), C3;
  });
}
function Rf(e3) {
  return Vf(zf, e3);
}
function zf(e3, i4, o4, n3, s4, a4) {
  let u3 = e3.length;
  if (u3 < 2)
    return null;
  let h4 = new Path2D();
  if (o4(h4, e3[0], i4[0]), u3 == 2)
    n3(h4, e3[1], i4[1]);
  else {
    let m3 = Array(u3), g4 = Array(u3 - 1), y4 = Array(u3 - 1), d4 = Array(u3 - 1);
    for (let w4 = 0; w4 < u3 - 1; w4++)
      y4[w4] = i4[w4 + 1] - i4[w4], d4[w4] = e3[w4 + 1] - e3[w4], g4[w4] = y4[w4] / d4[w4];
    m3[0] = g4[0];
    for (let w4 = 1; w4 < u3 - 1; w4++)
      g4[w4] === 0 || g4[w4 - 1] === 0 || g4[w4 - 1] > 0 != g4[w4] > 0 ? m3[w4] = 0 : (m3[w4] = 3 * (d4[w4 - 1] + d4[w4]) / ((2 * d4[w4] + d4[w4 - 1]) / g4[w4 - 1] + (d4[w4] + 2 * d4[w4 - 1]) / g4[w4]), isFinite(m3[w4]) || (m3[w4] = 0));
    m3[u3 - 1] = g4[u3 - 2];
    for (let w4 = 0; w4 < u3 - 1; w4++)
      s4(
        h4,
        e3[w4] + d4[w4] / 3,
        i4[w4] + m3[w4] * d4[w4] / 3,
        e3[w4 + 1] - d4[w4] / 3,
        i4[w4 + 1] - m3[w4 + 1] * d4[w4] / 3,
        e3[w4 + 1],
        i4[w4 + 1]
      );
  }
  return h4;
}
var gi = /* @__PURE__ */ new Set();
function ms() {
  for (let e3 of gi)
    e3.syncRect(!0);
}
vl && (Jt(mr, kl, ms), Jt(gr, kl, ms, !0), Jt(tn, kl, () => {
  He.pxRatio = oe;
}));
var Ff = ps(), Of = cs();
function gs(e3, i4, o4, n3) {
  return (n3 ? [e3[0], e3[1]].concat(e3.slice(2)) : [e3[0]].concat(e3.slice(1))).map((a4, u3) => di(a4, u3, i4, o4));
}
function Hf(e3, i4) {
  return e3.map((o4, n3) => n3 == 0 ? {} : Te({}, i4, o4));
}
function di(e3, i4, o4, n3) {
  return Te({}, i4 == 0 ? o4 : n3, e3);
}
function ds(e3, i4, o4) {
  return i4 == null ? Tl : [i4, o4];
}
var Nf = ds;
function Wf(e3, i4, o4) {
  return i4 == null ? Tl : sn(i4, o4, Zn, !0);
}
function ws(e3, i4, o4, n3) {
  return i4 == null ? Tl : on(i4, o4, e3.scales[n3].log, !1);
}
var Gf = ws;
function Ss(e3, i4, o4, n3) {
  return i4 == null ? Tl : Jn(i4, o4, e3.scales[n3].log, !1);
}
var If = Ss;
function Yf(e3, i4, o4, n3, s4) {
  let a4 = Be(ho(e3), ho(i4)), u3 = i4 - e3, h4 = dt(s4 / n3 * u3, o4);
  do {
    let m3 = o4[h4], g4 = n3 * m3 / u3;
    if (g4 >= s4 && a4 + (m3 < 5 ? Ot.get(m3) : 0) <= 17)
      return [m3, g4];
  } while (++h4 < o4.length);
  return [0, 0];
}
function _s(e3) {
  let i4, o4;
  return e3 = e3.replace(/(\d+)px/, (n3, s4) => (i4 = Ee((o4 = +s4) * oe)) + "px"), [e3, i4, o4];
}
function Bf(e3) {
  e3.show && [e3.font, e3.labelFont].forEach((i4) => {
    let o4 = ae(i4[2] * oe, 1);
    i4[0] = i4[0].replace(/[0-9.]+px/, o4 + "px"), i4[1] = o4;
  });
}
function He(e3, i4, o4) {
  let n3 = {
    mode: ne(e3.mode, 1)
  }, s4 = n3.mode;
  function a4(t3, l3, r4, f6) {
    let c4 = l3.valToPct(t3);
    return f6 + r4 * (l3.dir == -1 ? 1 - c4 : c4);
  }
  function u3(t3, l3, r4, f6) {
    let c4 = l3.valToPct(t3);
    return f6 + r4 * (l3.dir == -1 ? c4 : 1 - c4);
  }
  function h4(t3, l3, r4, f6) {
    return l3.ori == 0 ? a4(t3, l3, r4, f6) : u3(t3, l3, r4, f6);
  }
  n3.valToPosH = a4, n3.valToPosV = u3;
  let m3 = !1;
  n3.status = 0;
  let g4 = n3.root = ft(Js);
  if (e3.id != null && (g4.id = e3.id), Xe(g4, e3.class), e3.title) {
    let t3 = ft(Xs, g4);
    t3.textContent = e3.title;
  }
  let y4 = gt("canvas"), d4 = n3.ctx = y4.getContext("2d"), w4 = ft(er, g4);
  Jt("click", w4, (t3) => {
    t3.target === D3 && (he != gl || _e != dl) && Fe.click(n3, t3);
  }, !0);
  let L3 = n3.under = ft(tr, w4);
  w4.appendChild(y4);
  let D3 = n3.over = ft(lr, w4);
  e3 = bl(e3);
  let O = +ne(e3.pxAlign, 1), N3 = is(O);
  (e3.plugins || []).forEach((t3) => {
    t3.opts && (e3 = t3.opts(n3, e3) || e3);
  });
  let G4 = e3.ms || 1e-3, k2 = n3.series = s4 == 1 ? gs(e3.series || [], jo, es, !1) : Hf(e3.series || [null], Xo), H3 = n3.axes = gs(e3.axes || [], Ko, Jo, !0), x2 = n3.scales = {}, q3 = n3.bands = e3.bands || [];
  q3.forEach((t3) => {
    t3.fill = X(t3.fill || null), t3.dir = ne(t3.dir, -1);
  });
  let P3 = s4 == 2 ? k2[1].facets[0].scale : k2[0].scale, $2 = {
    axes: zs,
    series: Ds
  }, U2 = (e3.drawOrder || ["axes", "series"]).map((t3) => $2[t3]);
  function Q2(t3) {
    let l3 = t3.distr == 3 ? (r4) => Pt(r4 > 0 ? r4 : t3.clamp(n3, r4, t3.min, t3.max, t3.key)) : t3.distr == 4 ? (r4) => Xn(r4, t3.asinh) : t3.distr == 100 ? (r4) => t3.fwd(r4) : (r4) => r4;
    return (r4) => {
      let f6 = l3(r4), { _min: c4, _max: p3 } = t3, S2 = p3 - c4;
      return (f6 - c4) / S2;
    };
  }
  function B4(t3) {
    let l3 = x2[t3];
    if (l3 == null) {
      let r4 = (e3.scales || Il)[t3] || Il;
      if (r4.from != null) {
        B4(r4.from);
        let f6 = Te({}, x2[r4.from], r4, { key: t3 });
        f6.valToPct = Q2(f6), x2[t3] = f6;
      } else {
        l3 = x2[t3] = Te({}, t3 == P3 ? ts : Mf, r4), l3.key = t3;
        let f6 = l3.time, c4 = l3.range, p3 = Ht(c4);
        if ((t3 != P3 || s4 == 2 && !f6) && (p3 && (c4[0] == null || c4[1] == null) && (c4 = {
          min: c4[0] == null ? uo : {
            mode: 1,
            hard: c4[0],
            soft: c4[0]
          },
          max: c4[1] == null ? uo : {
            mode: 1,
            hard: c4[1],
            soft: c4[1]
          }
        }, p3 = !1), !p3 && un(c4))) {
          let S2 = c4;
          c4 = (_4, v4, b4) => v4 == null ? Tl : sn(v4, b4, S2);
        }
        l3.range = X(c4 || (f6 ? Nf : t3 == P3 ? l3.distr == 3 ? Gf : l3.distr == 4 ? If : ds : l3.distr == 3 ? ws : l3.distr == 4 ? Ss : Wf)), l3.auto = X(p3 ? !1 : l3.auto), l3.clamp = X(l3.clamp || bf), l3._min = l3._max = null, l3.valToPct = Q2(l3);
      }
    }
  }
  B4("x"), B4("y"), s4 == 1 && k2.forEach((t3) => {
    B4(t3.scale);
  }), H3.forEach((t3) => {
    B4(t3.scale);
  });
  for (let t3 in e3.scales)
    B4(t3);
  let T4 = x2[P3], j3 = T4.distr, C3, I2;
  T4.ori == 0 ? (Xe(g4, Zs), C3 = a4, I2 = u3) : (Xe(g4, Qs), C3 = u3, I2 = a4);
  let F3 = {};
  for (let t3 in x2) {
    let l3 = x2[t3];
    (l3.min != null || l3.max != null) && (F3[t3] = { min: l3.min, max: l3.max }, l3.min = l3.max = null);
  }
  let ee = e3.tzDate || ((t3) => new Date(Ee(t3 / G4))), z3 = e3.fmtDate || li, Ue = G4 == 1 ? Zr(ee) : ef(ee), we = Ho(ee, Oo(G4 == 1 ? Jr : Xr, z3)), te = Wo(ee, No(lf, z3)), fe = [], J2 = n3.legend = Te({}, sf, e3.legend), V3 = n3.cursor = Te({}, pf, { drag: { y: s4 == 2 } }, e3.cursor), be = J2.show, Ne = V3.show, Se = J2.markers;
  J2.idxs = fe, Se.width = X(Se.width), Se.dash = X(Se.dash), Se.stroke = X(Se.stroke), Se.fill = X(Se.fill);
  let se, ct2, qe, ye = [], St = [], Mt, lt2 = !1, Lt = {};
  if (J2.live) {
    let t3 = k2[1] ? k2[1].values : null;
    lt2 = t3 != null, Mt = lt2 ? t3(n3, 1, 0) : { _: 0 };
    for (let l3 in Mt)
      Lt[l3] = Bn;
  }
  if (be)
    if (se = gt("table", fr, g4), qe = gt("tbody", null, se), J2.mount(n3, se), lt2) {
      ct2 = gt("thead", null, se, qe);
      let t3 = gt("tr", null, ct2);
      gt("th", null, t3);
      for (var tl in Mt)
        gt("th", ji, t3).textContent = tl;
    } else
      Xe(se, cr), J2.live && Xe(se, ur);
  let ll = { show: !0 }, Dl = { show: !1 };
  function Ul(t3, l3) {
    if (l3 == 0 && (lt2 || !J2.live || s4 == 2))
      return Tl;
    let r4 = [], f6 = gt("tr", ar, qe, qe.childNodes[l3]);
    Xe(f6, t3.class), t3.show || Xe(f6, $t);
    let c4 = gt("th", null, f6);
    if (Se.show) {
      let _4 = ft(pr, c4);
      if (l3 > 0) {
        let v4 = Se.width(n3, l3);
        v4 && (_4.style.border = v4 + "px " + Se.dash(n3, l3) + " " + Se.stroke(n3, l3)), _4.style.background = Se.fill(n3, l3);
      }
    }
    let p3 = ft(ji, c4);
    t3.label instanceof HTMLElement ? p3.appendChild(t3.label) : p3.textContent = t3.label, l3 > 0 && (Se.show || (p3.style.color = t3.width > 0 ? Se.stroke(n3, l3) : Se.fill(n3, l3)), We("click", c4, (_4) => {
      if (V3._lock)
        return;
      Bt(_4);
      let v4 = k2.indexOf(t3);
      if ((_4.ctrlKey || _4.metaKey) != J2.isolate) {
        let b4 = k2.some((M2, E4) => E4 > 0 && E4 != v4 && M2.show);
        k2.forEach((M2, E4) => {
          E4 > 0 && vt(E4, b4 ? E4 == v4 ? ll : Dl : ll, !0, xe.setSeries);
        });
      } else
        vt(v4, { show: !t3.show }, !0, xe.setSeries);
    }, !1), sl && We(Zi, c4, (_4) => {
      V3._lock || (Bt(_4), vt(k2.indexOf(t3), Sl, !0, xe.setSeries));
    }, !1));
    for (var S2 in Mt) {
      let _4 = gt("td", hr, f6);
      _4.textContent = "--", r4.push(_4);
    }
    return [f6, r4];
  }
  let Nt = /* @__PURE__ */ new Map();
  function We(t3, l3, r4, f6 = !0) {
    let c4 = Nt.get(l3) || {}, p3 = V3.bind[t3](n3, l3, r4, f6);
    p3 && (Jt(t3, l3, c4[t3] = p3), Nt.set(l3, c4));
  }
  function nl(t3, l3, r4) {
    let f6 = Nt.get(l3) || {};
    for (let c4 in f6)
      (t3 == null || c4 == t3) && ($n(c4, l3, f6[c4]), delete f6[c4]);
    t3 == null && Nt.delete(l3);
  }
  let At = 0, Wt = 0, K3 = 0, A3 = 0, pe = 0, Me = 0, il = pe, Gt = Me, _t = K3, It = A3, $e = 0, nt = 0, Ke = 0, at = 0;
  n3.bbox = {};
  let wn = !1, Kl = !1, ol = !1, Yt = !1, jl = !1, it2 = !1;
  function Sn(t3, l3, r4) {
    (r4 || t3 != n3.width || l3 != n3.height) && wi(t3, l3), al(!1), ol = !0, Kl = !0, pl();
  }
  function wi(t3, l3) {
    n3.width = At = K3 = t3, n3.height = Wt = A3 = l3, pe = Me = 0, xs(), Ts();
    let r4 = n3.bbox;
    $e = r4.left = Qt(pe * oe, 0.5), nt = r4.top = Qt(Me * oe, 0.5), Ke = r4.width = Qt(K3 * oe, 0.5), at = r4.height = Qt(A3 * oe, 0.5);
  }
  let ys = 3;
  function vs() {
    let t3 = !1, l3 = 0;
    for (; !t3; ) {
      l3++;
      let r4 = Vs(l3), f6 = Rs(l3);
      t3 = l3 == ys || r4 && f6, t3 || (wi(n3.width, n3.height), Kl = !0);
    }
  }
  function ks({ width: t3, height: l3 }) {
    Sn(t3, l3);
  }
  n3.setSize = ks;
  function xs() {
    let t3 = !1, l3 = !1, r4 = !1, f6 = !1;
    H3.forEach((c4, p3) => {
      if (c4.show && c4._show) {
        let { side: S2, _size: _4 } = c4, v4 = S2 % 2, b4 = c4.label != null ? c4.labelSize : 0, M2 = _4 + b4;
        M2 > 0 && (v4 ? (K3 -= M2, S2 == 3 ? (pe += M2, f6 = !0) : r4 = !0) : (A3 -= M2, S2 == 0 ? (Me += M2, t3 = !0) : l3 = !0));
      }
    }), Ut[0] = t3, Ut[1] = r4, Ut[2] = l3, Ut[3] = f6, K3 -= Ct[1] + Ct[3], pe += Ct[3], A3 -= Ct[2] + Ct[0], Me += Ct[0];
  }
  function Ts() {
    let t3 = pe + K3, l3 = Me + A3, r4 = pe, f6 = Me;
    function c4(p3, S2) {
      switch (p3) {
        case 1:
          return t3 += S2, t3 - S2;
        case 2:
          return l3 += S2, l3 - S2;
        case 3:
          return r4 -= S2, r4 + S2;
        case 0:
          return f6 -= S2, f6 + S2;
      }
    }
    H3.forEach((p3, S2) => {
      if (p3.show && p3._show) {
        let _4 = p3.side;
        p3._pos = c4(_4, p3._size), p3.label != null && (p3._lpos = c4(_4, p3.labelSize));
      }
    });
  }
  if (V3.dataIdx == null) {
    let t3 = V3.hover, l3 = t3.skip = new Set(t3.skip ?? []);
    l3.add(void 0);
    let r4 = t3.prox = X(t3.prox), f6 = t3.bias ??= 0;
    V3.dataIdx = (c4, p3, S2, _4) => {
      if (p3 == 0)
        return S2;
      let v4 = S2, b4 = r4(c4, p3, S2, _4) ?? ce, M2 = b4 >= 0 && b4 < ce, E4 = T4.ori == 0 ? K3 : A3, Y = V3.left, ie = i4[0], le = i4[p3];
      if (l3.has(le[S2])) {
        v4 = null;
        let Z = null, W = null, R2;
        if (f6 == 0 || f6 == -1)
          for (R2 = S2; Z == null && R2-- > 0; )
            l3.has(le[R2]) || (Z = R2);
        if (f6 == 0 || f6 == 1)
          for (R2 = S2; W == null && R2++ < le.length; )
            l3.has(le[R2]) || (W = R2);
        if (Z != null || W != null)
          if (M2) {
            let ge = Z == null ? -1 / 0 : C3(ie[Z], T4, E4, 0), ve = W == null ? 1 / 0 : C3(ie[W], T4, E4, 0), Re = Y - ge, ue = ve - Y;
            Re <= ue ? Re <= b4 && (v4 = Z) : ue <= b4 && (v4 = W);
          } else
            v4 = W == null ? Z : Z == null ? W : S2 - Z <= W - S2 ? Z : W;
      } else M2 && Ae(Y - C3(ie[S2], T4, E4, 0)) > b4 && (v4 = null);
      return v4;
    };
  }
  let Bt = (t3) => {
    V3.event = t3;
  };
  V3.idxs = fe, V3._lock = !1;
  let Oe = V3.points;
  Oe.show = X(Oe.show), Oe.size = X(Oe.size), Oe.stroke = X(Oe.stroke), Oe.width = X(Oe.width), Oe.fill = X(Oe.fill);
  let yt = n3.focus = Te({}, e3.focus || { alpha: 0.3 }, V3.focus), sl = yt.prox >= 0, rl = sl && Oe.one, ot2 = [], fl = [], ul = [];
  function Si(t3, l3) {
    let r4 = Oe.show(n3, l3);
    if (r4 instanceof HTMLElement)
      return Xe(r4, rr), Xe(r4, t3.class), bt(r4, -10, -10, K3, A3), D3.insertBefore(r4, ot2[l3]), r4;
  }
  function _i(t3, l3) {
    if (s4 == 1 || l3 > 0) {
      let r4 = s4 == 1 && x2[t3.scale].time, f6 = t3.value;
      t3.value = r4 ? xo(f6) ? Wo(ee, No(f6, z3)) : f6 || te : f6 || kf, t3.label = t3.label || (r4 ? mf : hf);
    }
    if (rl || l3 > 0) {
      t3.width = t3.width == null ? 1 : t3.width, t3.paths = t3.paths || Ff || br, t3.fillTo = X(t3.fillTo || Af), t3.pxAlign = +ne(t3.pxAlign, O), t3.pxRound = is(t3.pxAlign), t3.stroke = X(t3.stroke || null), t3.fill = X(t3.fill || null), t3._stroke = t3._fill = t3._paths = t3._focus = null;
      let r4 = xf(Be(1, t3.width), 1), f6 = t3.points = Te({}, {
        size: r4,
        width: Be(1, r4 * 0.2),
        stroke: t3.stroke,
        space: r4 * 2,
        paths: Of,
        _stroke: null,
        _fill: null
      }, t3.points);
      f6.show = X(f6.show), f6.filter = X(f6.filter), f6.fill = X(f6.fill), f6.stroke = X(f6.stroke), f6.paths = X(f6.paths), f6.pxAlign = t3.pxAlign;
    }
    if (be) {
      let r4 = Ul(t3, l3);
      ye.splice(l3, 0, r4[0]), St.splice(l3, 0, r4[1]), J2.values.push(null);
    }
    if (Ne) {
      fe.splice(l3, 0, null);
      let r4 = null;
      rl ? l3 == 0 && (r4 = Si(t3, l3)) : l3 > 0 && (r4 = Si(t3, l3)), ot2.splice(l3, 0, r4), fl.splice(l3, 0, 0), ul.splice(l3, 0, 0);
    }
    Ve("addSeries", l3);
  }
  function bs(t3, l3) {
    l3 = l3 ?? k2.length, t3 = s4 == 1 ? di(t3, l3, jo, es) : di(t3, l3, {}, Xo), k2.splice(l3, 0, t3), _i(k2[l3], l3);
  }
  n3.addSeries = bs;
  function Ms(t3) {
    if (k2.splice(t3, 1), be) {
      J2.values.splice(t3, 1), St.splice(t3, 1);
      let l3 = ye.splice(t3, 1)[0];
      nl(null, l3.firstChild), l3.remove();
    }
    Ne && (fe.splice(t3, 1), ot2.splice(t3, 1)[0].remove(), fl.splice(t3, 1), ul.splice(t3, 1)), Ve("delSeries", t3);
  }
  n3.delSeries = Ms;
  let Ut = [!1, !1, !1, !1];
  function As(t3, l3) {
    if (t3._show = t3.show, t3.show) {
      let r4 = t3.side % 2, f6 = x2[t3.scale];
      f6 == null && (t3.scale = r4 ? k2[1].scale : P3, f6 = x2[t3.scale]);
      let c4 = f6.time;
      t3.size = X(t3.size), t3.space = X(t3.space), t3.rotate = X(t3.rotate), Ht(t3.incrs) && t3.incrs.forEach((S2) => {
        !Ot.has(S2) && Ot.set(S2, vo(S2));
      }), t3.incrs = X(t3.incrs || (f6.distr == 2 ? jr : c4 ? G4 == 1 ? $r : Qr : Xt)), t3.splits = X(t3.splits || (c4 && f6.distr == 1 ? Ue : f6.distr == 3 ? ui : f6.distr == 4 ? wf : df)), t3.stroke = X(t3.stroke), t3.grid.stroke = X(t3.grid.stroke), t3.ticks.stroke = X(t3.ticks.stroke), t3.border.stroke = X(t3.border.stroke);
      let p3 = t3.values;
      t3.values = // static array of tick values
      Ht(p3) && !Ht(p3[0]) ? X(p3) : (
        // temporal
        c4 ? (
          // config array of fmtDate string tpls
          Ht(p3) ? Ho(ee, Oo(p3, z3)) : (
            // fmtDate string tpl
            xo(p3) ? tf(ee, p3) : p3 || we
          )
        ) : p3 || gf
      ), t3.filter = X(t3.filter || (f6.distr >= 3 && f6.log == 10 ? yf : f6.distr == 3 && f6.log == 2 ? vf : wo)), t3.font = _s(t3.font), t3.labelFont = _s(t3.labelFont), t3._size = t3.size(n3, null, l3, 0), t3._space = t3._rotate = t3._incrs = t3._found = // foundIncrSpace
      t3._splits = t3._values = null, t3._size > 0 && (Ut[l3] = !0, t3._el = ft(nr, w4));
    }
  }
  function Ll(t3, l3, r4, f6) {
    let [c4, p3, S2, _4] = r4, v4 = l3 % 2, b4 = 0;
    return v4 == 0 && (_4 || p3) && (b4 = l3 == 0 && !c4 || l3 == 2 && !S2 ? Ee(Ko.size / 3) : 0), v4 == 1 && (c4 || S2) && (b4 = l3 == 1 && !p3 || l3 == 3 && !_4 ? Ee(Jo.size / 2) : 0), b4;
  }
  let yi = n3.padding = (e3.padding || [Ll, Ll, Ll, Ll]).map((t3) => X(ne(t3, Ll))), Ct = n3._padding = yi.map((t3, l3) => t3(n3, l3, Ut, 0)), ze, Pe = null, De = null, ql = s4 == 1 ? k2[0].idxs : null, pt = null, Cl = !1;
  function vi(t3, l3) {
    if (i4 = t3 ?? [], n3.data = n3._data = i4, s4 == 2) {
      ze = 0;
      for (let r4 = 1; r4 < k2.length; r4++)
        ze += i4[r4][0].length;
    } else {
      i4.length == 0 && (n3.data = n3._data = i4 = [[]]), pt = i4[0], ze = pt.length;
      let r4 = i4;
      if (j3 == 2) {
        r4 = i4.slice();
        let f6 = r4[0] = Array(ze);
        for (let c4 = 0; c4 < ze; c4++)
          f6[c4] = c4;
      }
      n3._data = i4 = r4;
    }
    if (al(!0), Ve("setData"), j3 == 2 && (ol = !0), l3 !== !1) {
      let r4 = T4;
      r4.auto(n3, Cl) ? _n() : Rt(P3, r4.min, r4.max), Yt = Yt || V3.left >= 0, it2 = !0, pl();
    }
  }
  n3.setData = vi;
  function _n() {
    Cl = !0;
    let t3, l3;
    s4 == 1 && (ze > 0 ? (Pe = ql[0] = 0, De = ql[1] = ze - 1, t3 = i4[0][Pe], l3 = i4[0][De], j3 == 2 ? (t3 = Pe, l3 = De) : t3 == l3 && (j3 == 3 ? [t3, l3] = on(t3, t3, T4.log, !1) : j3 == 4 ? [t3, l3] = Jn(t3, t3, T4.log, !1) : T4.time ? l3 = t3 + Ee(86400 / G4) : [t3, l3] = sn(t3, l3, Zn, !0))) : (Pe = ql[0] = t3 = null, De = ql[1] = l3 = null)), Rt(P3, t3, l3);
  }
  let $l, cl, yn, vn, kn, xn, Tn, bn, Mn, je;
  function ki(t3, l3, r4, f6, c4, p3) {
    t3 ??= $i, r4 ??= ti, f6 ??= "butt", c4 ??= $i, p3 ??= "round", t3 != $l && (d4.strokeStyle = $l = t3), c4 != cl && (d4.fillStyle = cl = c4), l3 != yn && (d4.lineWidth = yn = l3), p3 != kn && (d4.lineJoin = kn = p3), f6 != xn && (d4.lineCap = xn = f6), r4 != vn && d4.setLineDash(vn = r4);
  }
  function xi(t3, l3, r4, f6) {
    l3 != cl && (d4.fillStyle = cl = l3), t3 != Tn && (d4.font = Tn = t3), r4 != bn && (d4.textAlign = bn = r4), f6 != Mn && (d4.textBaseline = Mn = f6);
  }
  function An(t3, l3, r4, f6, c4 = 0) {
    if (f6.length > 0 && t3.auto(n3, Cl) && (l3 == null || l3.min == null)) {
      let p3 = ne(Pe, 0), S2 = ne(De, f6.length - 1), _4 = r4.min == null ? _r(f6, p3, S2, c4, t3.distr == 3) : [r4.min, r4.max];
      t3.min = wt(t3.min, r4.min = _4[0]), t3.max = Be(t3.max, r4.max = _4[1]);
    }
  }
  let Ti = { min: null, max: null };
  function Es() {
    for (let f6 in x2) {
      let c4 = x2[f6];
      F3[f6] == null && // scales that have never been set (on init)
      (c4.min == null || // or auto scales when the x scale was explicitly set
      F3[P3] != null && c4.auto(n3, Cl)) && (F3[f6] = Ti);
    }
    for (let f6 in x2) {
      let c4 = x2[f6];
      F3[f6] == null && c4.from != null && F3[c4.from] != null && (F3[f6] = Ti);
    }
    F3[P3] != null && al(!0);
    let t3 = {};
    for (let f6 in F3) {
      let c4 = F3[f6];
      if (c4 != null) {
        let p3 = t3[f6] = bl(x2[f6], Er);
        if (c4.min != null)
          Te(p3, c4);
        else if (f6 != P3 || s4 == 2)
          if (ze == 0 && p3.from == null) {
            let S2 = p3.range(n3, null, null, f6);
            p3.min = S2[0], p3.max = S2[1];
          } else
            p3.min = ce, p3.max = -ce;
      }
    }
    if (ze > 0) {
      k2.forEach((f6, c4) => {
        if (s4 == 1) {
          let p3 = f6.scale, S2 = F3[p3];
          if (S2 == null)
            return;
          let _4 = t3[p3];
          if (c4 == 0) {
            let v4 = _4.range(n3, _4.min, _4.max, p3);
            _4.min = v4[0], _4.max = v4[1], Pe = dt(_4.min, i4[0]), De = dt(_4.max, i4[0]), De - Pe > 1 && (i4[0][Pe] < _4.min && Pe++, i4[0][De] > _4.max && De--), f6.min = pt[Pe], f6.max = pt[De];
          } else f6.show && f6.auto && An(_4, S2, f6, i4[c4], f6.sorted);
          f6.idxs[0] = Pe, f6.idxs[1] = De;
        } else if (c4 > 0 && f6.show && f6.auto) {
          let [p3, S2] = f6.facets, _4 = p3.scale, v4 = S2.scale, [b4, M2] = i4[c4], E4 = t3[_4], Y = t3[v4];
          E4 != null && An(E4, F3[_4], p3, b4, p3.sorted), Y != null && An(Y, F3[v4], S2, M2, S2.sorted), f6.min = S2.min, f6.max = S2.max;
        }
      });
      for (let f6 in t3) {
        let c4 = t3[f6], p3 = F3[f6];
        if (c4.from == null && (p3 == null || p3.min == null)) {
          let S2 = c4.range(
            n3,
            c4.min == ce ? null : c4.min,
            c4.max == -ce ? null : c4.max,
            f6
          );
          c4.min = S2[0], c4.max = S2[1];
        }
      }
    }
    for (let f6 in t3) {
      let c4 = t3[f6];
      if (c4.from != null) {
        let p3 = t3[c4.from];
        if (p3.min == null)
          c4.min = c4.max = null;
        else {
          let S2 = c4.range(n3, p3.min, p3.max, f6);
          c4.min = S2[0], c4.max = S2[1];
        }
      }
    }
    let l3 = {}, r4 = !1;
    for (let f6 in t3) {
      let c4 = t3[f6], p3 = x2[f6];
      if (p3.min != c4.min || p3.max != c4.max) {
        p3.min = c4.min, p3.max = c4.max;
        let S2 = p3.distr;
        p3._min = S2 == 3 ? Pt(p3.min) : S2 == 4 ? Xn(p3.min, p3.asinh) : S2 == 100 ? p3.fwd(p3.min) : p3.min, p3._max = S2 == 3 ? Pt(p3.max) : S2 == 4 ? Xn(p3.max, p3.asinh) : S2 == 100 ? p3.fwd(p3.max) : p3.max, l3[f6] = r4 = !0;
      }
    }
    if (r4) {
      k2.forEach((f6, c4) => {
        s4 == 2 ? c4 > 0 && l3.y && (f6._paths = null) : l3[f6.scale] && (f6._paths = null);
      });
      for (let f6 in l3)
        ol = !0, Ve("setScale", f6);
      Ne && V3.left >= 0 && (Yt = it2 = !0);
    }
    for (let f6 in F3)
      F3[f6] = null;
  }
  function Ps(t3) {
    let l3 = ei(Pe - 1, 0, ze - 1), r4 = ei(De + 1, 0, ze - 1);
    for (; t3[l3] == null && l3 > 0; )
      l3--;
    for (; t3[r4] == null && r4 < ze - 1; )
      r4++;
    return [l3, r4];
  }
  function Ds() {
    if (ze > 0) {
      let t3 = k2.some((l3) => l3._focus) && je != yt.alpha;
      t3 && (d4.globalAlpha = je = yt.alpha), k2.forEach((l3, r4) => {
        if (r4 > 0 && l3.show && (bi(r4, !1), bi(r4, !0), l3._paths == null)) {
          let f6 = je;
          je != l3.alpha && (d4.globalAlpha = je = l3.alpha);
          let c4 = s4 == 2 ? [0, i4[r4][0].length - 1] : Ps(i4[r4]);
          l3._paths = l3.paths(n3, r4, c4[0], c4[1]), je != f6 && (d4.globalAlpha = je = f6);
        }
      }), k2.forEach((l3, r4) => {
        if (r4 > 0 && l3.show) {
          let f6 = je;
          je != l3.alpha && (d4.globalAlpha = je = l3.alpha), l3._paths != null && Mi(r4, !1);
          {
            let c4 = l3._paths != null ? l3._paths.gaps : null, p3 = l3.points.show(n3, r4, Pe, De, c4), S2 = l3.points.filter(n3, r4, p3, c4);
            (p3 || S2) && (l3.points._paths = l3.points.paths(n3, r4, Pe, De, S2), Mi(r4, !0));
          }
          je != f6 && (d4.globalAlpha = je = f6), Ve("drawSeries", r4);
        }
      }), t3 && (d4.globalAlpha = je = 1);
    }
  }
  function bi(t3, l3) {
    let r4 = l3 ? k2[t3].points : k2[t3];
    r4._stroke = r4.stroke(n3, t3), r4._fill = r4.fill(n3, t3);
  }
  function Mi(t3, l3) {
    let r4 = l3 ? k2[t3].points : k2[t3], {
      stroke: f6,
      fill: c4,
      clip: p3,
      flags: S2,
      _stroke: _4 = r4._stroke,
      _fill: v4 = r4._fill,
      _width: b4 = r4.width
    } = r4._paths;
    b4 = ae(b4 * oe, 3);
    let M2 = null, E4 = b4 % 2 / 2;
    l3 && v4 == null && (v4 = b4 > 0 ? "#fff" : _4);
    let Y = r4.pxAlign == 1 && E4 > 0;
    if (Y && d4.translate(E4, E4), !l3) {
      let ie = $e - b4 / 2, le = nt - b4 / 2, Z = Ke + b4, W = at + b4;
      M2 = new Path2D(), M2.rect(ie, le, Z, W);
    }
    l3 ? En(_4, b4, r4.dash, r4.cap, v4, f6, c4, S2, p3) : Ls(t3, _4, b4, r4.dash, r4.cap, v4, f6, c4, S2, M2, p3), Y && d4.translate(-E4, -E4);
  }
  function Ls(t3, l3, r4, f6, c4, p3, S2, _4, v4, b4, M2) {
    let E4 = !1;
    v4 != 0 && q3.forEach((Y, ie) => {
      if (Y.series[0] == t3) {
        let le = k2[Y.series[1]], Z = i4[Y.series[1]], W = (le._paths || Il).band;
        Ht(W) && (W = Y.dir == 1 ? W[0] : W[1]);
        let R2, ge = null;
        le.show && W && vr(Z, Pe, De) ? (ge = Y.fill(n3, ie) || p3, R2 = le._paths.clip) : W = null, En(l3, r4, f6, c4, ge, S2, _4, v4, b4, M2, R2, W), E4 = !0;
      }
    }), E4 || En(l3, r4, f6, c4, p3, S2, _4, v4, b4, M2);
  }
  let Ai = Al | ai;
  function En(t3, l3, r4, f6, c4, p3, S2, _4, v4, b4, M2, E4) {
    ki(t3, l3, r4, f6, c4), (v4 || b4 || E4) && (d4.save(), v4 && d4.clip(v4), b4 && d4.clip(b4)), E4 ? (_4 & Ai) == Ai ? (d4.clip(E4), M2 && d4.clip(M2), Zl(c4, S2), Jl(t3, p3, l3)) : _4 & ai ? (Zl(c4, S2), d4.clip(E4), Jl(t3, p3, l3)) : _4 & Al && (d4.save(), d4.clip(E4), M2 && d4.clip(M2), Zl(c4, S2), d4.restore(), Jl(t3, p3, l3)) : (Zl(c4, S2), Jl(t3, p3, l3)), (v4 || b4 || E4) && d4.restore();
  }
  function Jl(t3, l3, r4) {
    r4 > 0 && (l3 instanceof Map ? l3.forEach((f6, c4) => {
      d4.strokeStyle = $l = c4, d4.stroke(f6);
    }) : l3 != null && t3 && d4.stroke(l3));
  }
  function Zl(t3, l3) {
    l3 instanceof Map ? l3.forEach((r4, f6) => {
      d4.fillStyle = cl = f6, d4.fill(r4);
    }) : l3 != null && t3 && d4.fill(l3);
  }
  function Cs(t3, l3, r4, f6) {
    let c4 = H3[t3], p3;
    if (f6 <= 0)
      p3 = [0, 0];
    else {
      let S2 = c4._space = c4.space(n3, t3, l3, r4, f6), _4 = c4._incrs = c4.incrs(n3, t3, l3, r4, f6, S2);
      p3 = Yf(l3, r4, _4, f6, S2);
    }
    return c4._found = p3;
  }
  function Pn(t3, l3, r4, f6, c4, p3, S2, _4, v4, b4) {
    let M2 = S2 % 2 / 2;
    O == 1 && d4.translate(M2, M2), ki(_4, S2, v4, b4, _4), d4.beginPath();
    let E4, Y, ie, le, Z = c4 + (f6 == 0 || f6 == 3 ? -p3 : p3);
    r4 == 0 ? (Y = c4, le = Z) : (E4 = c4, ie = Z);
    for (let W = 0; W < t3.length; W++)
      l3[W] != null && (r4 == 0 ? E4 = ie = t3[W] : Y = le = t3[W], d4.moveTo(E4, Y), d4.lineTo(ie, le));
    d4.stroke(), O == 1 && d4.translate(-M2, -M2);
  }
  function Vs(t3) {
    let l3 = !0;
    return H3.forEach((r4, f6) => {
      if (!r4.show)
        return;
      let c4 = x2[r4.scale];
      if (c4.min == null) {
        r4._show && (l3 = !1, r4._show = !1, al(!1));
        return;
      } else
        r4._show || (l3 = !1, r4._show = !0, al(!1));
      let p3 = r4.side, S2 = p3 % 2, { min: _4, max: v4 } = c4, [b4, M2] = Cs(f6, _4, v4, S2 == 0 ? K3 : A3);
      if (M2 == 0)
        return;
      let E4 = c4.distr == 2, Y = r4._splits = r4.splits(n3, f6, _4, v4, b4, M2, E4), ie = c4.distr == 2 ? Y.map((R2) => pt[R2]) : Y, le = c4.distr == 2 ? pt[Y[1]] - pt[Y[0]] : b4, Z = r4._values = r4.values(n3, r4.filter(n3, ie, f6, M2, le), f6, M2, le);
      r4._rotate = p3 == 2 ? r4.rotate(n3, Z, f6, M2) : 0;
      let W = r4._size;
      r4._size = ut(r4.size(n3, Z, f6, t3)), W != null && r4._size != W && (l3 = !1);
    }), l3;
  }
  function Rs(t3) {
    let l3 = !0;
    return yi.forEach((r4, f6) => {
      let c4 = r4(n3, f6, Ut, t3);
      c4 != Ct[f6] && (l3 = !1), Ct[f6] = c4;
    }), l3;
  }
  function zs() {
    for (let t3 = 0; t3 < H3.length; t3++) {
      let l3 = H3[t3];
      if (!l3.show || !l3._show)
        continue;
      let r4 = l3.side, f6 = r4 % 2, c4, p3, S2 = l3.stroke(n3, t3), _4 = r4 == 0 || r4 == 3 ? -1 : 1, [v4, b4] = l3._found;
      if (l3.label != null) {
        let Ie = l3.labelGap * _4, Qe = Ee((l3._lpos + Ie) * oe);
        xi(l3.labelFont[0], S2, "center", r4 == 2 ? "top" : qi), d4.save(), f6 == 1 ? (c4 = p3 = 0, d4.translate(
          Qe,
          Ee(nt + at / 2)
        ), d4.rotate((r4 == 3 ? -rn : rn) / 2)) : (c4 = Ee($e + Ke / 2), p3 = Qe);
        let qt = mo(l3.label) ? l3.label(n3, t3, v4, b4) : l3.label;
        d4.fillText(qt, c4, p3), d4.restore();
      }
      if (b4 == 0)
        continue;
      let M2 = x2[l3.scale], E4 = f6 == 0 ? Ke : at, Y = f6 == 0 ? $e : nt, ie = l3._splits, le = M2.distr == 2 ? ie.map((Ie) => pt[Ie]) : ie, Z = M2.distr == 2 ? pt[ie[1]] - pt[ie[0]] : v4, W = l3.ticks, R2 = l3.border, ge = W.show ? W.size : 0, ve = Ee(ge * oe), Re = Ee((l3.alignTo == 2 ? l3._size - ge - l3.gap : l3.gap) * oe), ue = l3._rotate * -rn / 180, ke = N3(l3._pos * oe), Je = (ve + Re) * _4, Ge = ke + Je;
      p3 = f6 == 0 ? Ge : 0, c4 = f6 == 1 ? Ge : 0;
      let st = l3.font[0], ht2 = l3.align == 1 ? yl : l3.align == 2 ? Wn : ue > 0 ? yl : ue < 0 ? Wn : f6 == 0 ? "center" : r4 == 3 ? Wn : yl, xt = ue || f6 == 1 ? "middle" : r4 == 2 ? "top" : qi;
      xi(st, S2, ht2, xt);
      let Ze = l3.font[1] * l3.lineGap, rt = ie.map((Ie) => N3(h4(Ie, M2, E4, Y))), mt = l3._values;
      for (let Ie = 0; Ie < mt.length; Ie++) {
        let Qe = mt[Ie];
        if (Qe != null) {
          f6 == 0 ? c4 = rt[Ie] : p3 = rt[Ie], Qe = "" + Qe;
          let qt = Qe.indexOf(`
`) == -1 ? [Qe] : Qe.split(/\n/gm);
          for (let Ye = 0; Ye < qt.length; Ye++) {
            let Ki = qt[Ye];
            ue ? (d4.save(), d4.translate(c4, p3 + Ye * Ze), d4.rotate(ue), d4.fillText(Ki, 0, 0), d4.restore()) : d4.fillText(Ki, c4, p3 + Ye * Ze);
          }
        }
      }
      W.show && Pn(
        rt,
        W.filter(n3, le, t3, b4, Z),
        f6,
        r4,
        ke,
        ve,
        ae(W.width * oe, 3),
        W.stroke(n3, t3),
        W.dash,
        W.cap
      );
      let Tt = l3.grid;
      Tt.show && Pn(
        rt,
        Tt.filter(n3, le, t3, b4, Z),
        f6,
        f6 == 0 ? 2 : 1,
        f6 == 0 ? nt : $e,
        f6 == 0 ? at : Ke,
        ae(Tt.width * oe, 3),
        Tt.stroke(n3, t3),
        Tt.dash,
        Tt.cap
      ), R2.show && Pn(
        [ke],
        [1],
        f6 == 0 ? 1 : 0,
        f6 == 0 ? 1 : 2,
        f6 == 1 ? nt : $e,
        f6 == 1 ? at : Ke,
        ae(R2.width * oe, 3),
        R2.stroke(n3, t3),
        R2.dash,
        R2.cap
      );
    }
    Ve("drawAxes");
  }
  function al(t3) {
    k2.forEach((l3, r4) => {
      r4 > 0 && (l3._paths = null, t3 && (s4 == 1 ? (l3.min = null, l3.max = null) : l3.facets.forEach((f6) => {
        f6.min = null, f6.max = null;
      })));
    });
  }
  let Ql = !1, Dn = !1, Vl = [];
  function Fs() {
    Dn = !1;
    for (let t3 = 0; t3 < Vl.length; t3++)
      Ve(...Vl[t3]);
    Vl.length = 0;
  }
  function pl() {
    Ql || (zr(Ei), Ql = !0);
  }
  function Os(t3, l3 = !1) {
    Ql = !0, Dn = l3, t3(n3), Ei(), l3 && Vl.length > 0 && queueMicrotask(Fs);
  }
  n3.batch = Os;
  function Ei() {
    if (wn && (Es(), wn = !1), ol && (vs(), ol = !1), Kl) {
      if (de(L3, yl, pe), de(L3, "top", Me), de(L3, Hl, K3), de(L3, Nl, A3), de(D3, yl, pe), de(D3, "top", Me), de(D3, Hl, K3), de(D3, Nl, A3), de(w4, Hl, At), de(w4, Nl, Wt), y4.width = Ee(At * oe), y4.height = Ee(Wt * oe), H3.forEach(({ _el: t3, _show: l3, _size: r4, _pos: f6, side: c4 }) => {
        if (t3 != null)
          if (l3) {
            let p3 = c4 === 3 || c4 === 0 ? r4 : 0, S2 = c4 % 2 == 1;
            de(t3, S2 ? "left" : "top", f6 - p3), de(t3, S2 ? "width" : "height", r4), de(t3, S2 ? "top" : "left", S2 ? Me : pe), de(t3, S2 ? "height" : "width", S2 ? A3 : K3), jn(t3, $t);
          } else
            Xe(t3, $t);
      }), $l = cl = yn = kn = xn = Tn = bn = Mn = vn = null, je = 1, Fl(!0), pe != il || Me != Gt || K3 != _t || A3 != It) {
        al(!1);
        let t3 = K3 / _t, l3 = A3 / It;
        if (Ne && !Yt && V3.left >= 0) {
          V3.left *= t3, V3.top *= l3, hl && bt(hl, Ee(V3.left), 0, K3, A3), ml && bt(ml, 0, Ee(V3.top), K3, A3);
          for (let r4 = 0; r4 < ot2.length; r4++) {
            let f6 = ot2[r4];
            f6 != null && (fl[r4] *= t3, ul[r4] *= l3, bt(f6, ut(fl[r4]), ut(ul[r4]), K3, A3));
          }
        }
        if (me.show && !jl && me.left >= 0 && me.width > 0) {
          me.left *= t3, me.width *= t3, me.top *= l3, me.height *= l3;
          for (let r4 in Fn)
            de(wl, r4, me[r4]);
        }
        il = pe, Gt = Me, _t = K3, It = A3;
      }
      Ve("setSize"), Kl = !1;
    }
    At > 0 && Wt > 0 && (d4.clearRect(0, 0, y4.width, y4.height), Ve("drawClear"), U2.forEach((t3) => t3()), Ve("draw")), me.show && jl && (Xl(me), jl = !1), Ne && Yt && (jt(null, !0, !1), Yt = !1), J2.show && J2.live && it2 && (Rn(), it2 = !1), m3 || (m3 = !0, n3.status = 1, Ve("ready")), Cl = !1, Ql = !1;
  }
  n3.redraw = (t3, l3) => {
    ol = l3 || !1, t3 !== !1 ? Rt(P3, T4.min, T4.max) : pl();
  };
  function Ln(t3, l3) {
    let r4 = x2[t3];
    if (r4.from == null) {
      if (ze == 0) {
        let f6 = r4.range(n3, l3.min, l3.max, t3);
        l3.min = f6[0], l3.max = f6[1];
      }
      if (l3.min > l3.max) {
        let f6 = l3.min;
        l3.min = l3.max, l3.max = f6;
      }
      if (ze > 1 && l3.min != null && l3.max != null && l3.max - l3.min < 1e-16)
        return;
      t3 == P3 && r4.distr == 2 && ze > 0 && (l3.min = dt(l3.min, i4[0]), l3.max = dt(l3.max, i4[0]), l3.min == l3.max && l3.max++), F3[t3] = l3, wn = !0, pl();
    }
  }
  n3.setScale = Ln;
  let Cn, Vn, hl, ml, Pi, Di, gl, dl, Li, Ci, he, _e, Vt = !1, Fe = V3.drag, Le = Fe.x, Ce = Fe.y;
  Ne && (V3.x && (Cn = ft(or, D3)), V3.y && (Vn = ft(sr, D3)), T4.ori == 0 ? (hl = Cn, ml = Vn) : (hl = Vn, ml = Cn), he = V3.left, _e = V3.top);
  let me = n3.select = Te({
    show: !0,
    over: !0,
    left: 0,
    width: 0,
    top: 0,
    height: 0
  }, e3.select), wl = me.show ? ft(ir, me.over ? D3 : L3) : null;
  function Xl(t3, l3) {
    if (me.show) {
      for (let r4 in t3)
        me[r4] = t3[r4], r4 in Fn && de(wl, r4, t3[r4]);
      l3 !== !1 && Ve("setSelect");
    }
  }
  n3.setSelect = Xl;
  function Hs(t3) {
    if (k2[t3].show)
      be && jn(ye[t3], $t);
    else if (be && Xe(ye[t3], $t), Ne) {
      let r4 = rl ? ot2[0] : ot2[t3];
      r4 != null && bt(r4, -10, -10, K3, A3);
    }
  }
  function Rt(t3, l3, r4) {
    Ln(t3, { min: l3, max: r4 });
  }
  function vt(t3, l3, r4, f6) {
    l3.focus != null && Ys(t3), l3.show != null && k2.forEach((c4, p3) => {
      p3 > 0 && (t3 == p3 || t3 == null) && (c4.show = l3.show, Hs(p3), s4 == 2 ? (Rt(c4.facets[0].scale, null, null), Rt(c4.facets[1].scale, null, null)) : Rt(c4.scale, null, null), pl());
    }), r4 !== !1 && Ve("setSeries", t3, l3), f6 && Ol("setSeries", n3, t3, l3);
  }
  n3.setSeries = vt;
  function Ns(t3, l3) {
    Te(q3[t3], l3);
  }
  function Ws(t3, l3) {
    t3.fill = X(t3.fill || null), t3.dir = ne(t3.dir, -1), l3 = l3 ?? q3.length, q3.splice(l3, 0, t3);
  }
  function Gs(t3) {
    t3 == null ? q3.length = 0 : q3.splice(t3, 1);
  }
  n3.addBand = Ws, n3.setBand = Ns, n3.delBand = Gs;
  function Is(t3, l3) {
    k2[t3].alpha = l3, Ne && ot2[t3] != null && (ot2[t3].style.opacity = l3), be && ye[t3] && (ye[t3].style.opacity = l3);
  }
  let Et, zt, Kt, Sl = { focus: !0 };
  function Ys(t3) {
    if (t3 != Kt) {
      let l3 = t3 == null, r4 = yt.alpha != 1;
      k2.forEach((f6, c4) => {
        if (s4 == 1 || c4 > 0) {
          let p3 = l3 || c4 == 0 || c4 == t3;
          f6._focus = l3 ? null : p3, r4 && Is(c4, p3 ? 1 : yt.alpha);
        }
      }), Kt = t3, r4 && pl();
    }
  }
  be && sl && We(Qi, se, (t3) => {
    V3._lock || (Bt(t3), Kt != null && vt(null, Sl, !0, xe.setSeries));
  });
  function kt(t3, l3, r4) {
    let f6 = x2[l3];
    r4 && (t3 = t3 / oe - (f6.ori == 1 ? Me : pe));
    let c4 = K3;
    f6.ori == 1 && (c4 = A3, t3 = c4 - t3), f6.dir == -1 && (t3 = c4 - t3);
    let p3 = f6._min, S2 = f6._max, _4 = t3 / c4, v4 = p3 + (S2 - p3) * _4, b4 = f6.distr;
    return b4 == 3 ? xl(10, v4) : b4 == 4 ? xr(v4, f6.asinh) : b4 == 100 ? f6.bwd(v4) : v4;
  }
  function Bs(t3, l3) {
    let r4 = kt(t3, P3, l3);
    return dt(r4, i4[0], Pe, De);
  }
  n3.valToIdx = (t3) => dt(t3, i4[0]), n3.posToIdx = Bs, n3.posToVal = kt, n3.valToPos = (t3, l3, r4) => x2[l3].ori == 0 ? a4(
    t3,
    x2[l3],
    r4 ? Ke : K3,
    r4 ? $e : 0
  ) : u3(
    t3,
    x2[l3],
    r4 ? at : A3,
    r4 ? nt : 0
  ), n3.setCursor = (t3, l3, r4) => {
    he = t3.left, _e = t3.top, jt(null, l3, r4);
  };
  function Vi(t3, l3) {
    de(wl, yl, me.left = t3), de(wl, Hl, me.width = l3);
  }
  function Ri(t3, l3) {
    de(wl, "top", me.top = t3), de(wl, Nl, me.height = l3);
  }
  let Rl = T4.ori == 0 ? Vi : Ri, zl = T4.ori == 1 ? Vi : Ri;
  function Us() {
    if (be && J2.live)
      for (let t3 = s4 == 2 ? 1 : 0; t3 < k2.length; t3++) {
        if (t3 == 0 && lt2)
          continue;
        let l3 = J2.values[t3], r4 = 0;
        for (let f6 in l3)
          St[t3][r4++].firstChild.nodeValue = l3[f6];
      }
  }
  function Rn(t3, l3) {
    if (t3 != null && (t3.idxs ? t3.idxs.forEach((r4, f6) => {
      fe[f6] = r4;
    }) : Ar(t3.idx) || fe.fill(t3.idx), J2.idx = fe[0]), be && J2.live) {
      for (let r4 = 0; r4 < k2.length; r4++)
        (r4 > 0 || s4 == 1 && !lt2) && Ks(r4, fe[r4]);
      Us();
    }
    it2 = !1, l3 !== !1 && Ve("setLegend");
  }
  n3.setLegend = Rn;
  function Ks(t3, l3) {
    let r4 = k2[t3], f6 = t3 == 0 && j3 == 2 ? pt : i4[t3], c4;
    lt2 ? c4 = r4.values(n3, t3, l3) ?? Lt : (c4 = r4.value(n3, l3 == null ? null : f6[l3], t3, l3), c4 = c4 == null ? Lt : { _: c4 }), J2.values[t3] = c4;
  }
  function jt(t3, l3, r4) {
    Li = he, Ci = _e, [he, _e] = V3.move(n3, he, _e), V3.left = he, V3.top = _e, Ne && (hl && bt(hl, Ee(he), 0, K3, A3), ml && bt(ml, 0, Ee(_e), K3, A3));
    let f6, c4 = Pe > De;
    Et = ce, zt = null;
    let p3 = T4.ori == 0 ? K3 : A3, S2 = T4.ori == 1 ? K3 : A3;
    if (he < 0 || ze == 0 || c4) {
      f6 = V3.idx = null;
      for (let _4 = 0; _4 < k2.length; _4++) {
        let v4 = ot2[_4];
        v4 != null && bt(v4, -10, -10, K3, A3);
      }
      sl && vt(null, Sl, !0, t3 == null && xe.setSeries), J2.live && (fe.fill(f6), it2 = !0);
    } else {
      let _4, v4, b4;
      s4 == 1 && (_4 = T4.ori == 0 ? he : _e, v4 = kt(_4, P3), f6 = V3.idx = dt(v4, i4[0], Pe, De), b4 = C3(i4[0][f6], T4, p3, 0));
      let M2 = -10, E4 = -10, Y = 0, ie = 0, le = !0, Z = "", W = "";
      for (let R2 = s4 == 2 ? 1 : 0; R2 < k2.length; R2++) {
        let ge = k2[R2], ve = fe[R2], Re = ve == null ? null : s4 == 1 ? i4[R2][ve] : i4[R2][1][ve], ue = V3.dataIdx(n3, R2, f6, v4), ke = ue == null ? null : s4 == 1 ? i4[R2][ue] : i4[R2][1][ue];
        if (it2 = it2 || ke != Re || ue != ve, fe[R2] = ue, R2 > 0 && ge.show) {
          let Je = ue == null ? -10 : ue == f6 ? b4 : C3(s4 == 1 ? i4[0][ue] : i4[R2][0][ue], T4, p3, 0), Ge = ke == null ? -10 : I2(ke, s4 == 1 ? x2[ge.scale] : x2[ge.facets[1].scale], S2, 0);
          if (sl && ke != null) {
            let st = T4.ori == 1 ? he : _e, ht2 = Ae(yt.dist(n3, R2, ue, Ge, st));
            if (ht2 < Et) {
              let xt = yt.bias;
              if (xt != 0) {
                let Ze = kt(st, ge.scale), rt = ke >= 0 ? 1 : -1, mt = Ze >= 0 ? 1 : -1;
                mt == rt && (mt == 1 ? xt == 1 ? ke >= Ze : ke <= Ze : (
                  // >= 0
                  xt == 1 ? ke <= Ze : ke >= Ze
                )) && (Et = ht2, zt = R2);
              } else
                Et = ht2, zt = R2;
            }
          }
          if (it2 || rl) {
            let st, ht2;
            T4.ori == 0 ? (st = Je, ht2 = Ge) : (st = Ge, ht2 = Je);
            let xt, Ze, rt, mt, Tt, Ie, Qe = !0, qt = Oe.bbox;
            if (qt != null) {
              Qe = !1;
              let Ye = qt(n3, R2);
              rt = Ye.left, mt = Ye.top, xt = Ye.width, Ze = Ye.height;
            } else
              rt = st, mt = ht2, xt = Ze = Oe.size(n3, R2);
            if (Ie = Oe.fill(n3, R2), Tt = Oe.stroke(n3, R2), rl)
              R2 == zt && Et <= yt.prox && (M2 = rt, E4 = mt, Y = xt, ie = Ze, le = Qe, Z = Ie, W = Tt);
            else {
              let Ye = ot2[R2];
              Ye != null && (fl[R2] = rt, ul[R2] = mt, oo(Ye, xt, Ze, Qe), no(Ye, Ie, Tt), bt(Ye, ut(rt), ut(mt), K3, A3));
            }
          }
        }
      }
      if (rl) {
        let R2 = yt.prox, ge = Kt == null ? Et <= R2 : Et > R2 || zt != Kt;
        if (it2 || ge) {
          let ve = ot2[0];
          ve != null && (fl[0] = M2, ul[0] = E4, oo(ve, Y, ie, le), no(ve, Z, W), bt(ve, ut(M2), ut(E4), K3, A3));
        }
      }
    }
    if (me.show && Vt)
      if (t3 != null) {
        let [_4, v4] = xe.scales, [b4, M2] = xe.match, [E4, Y] = t3.cursor.sync.scales, ie = t3.cursor.drag;
        if (Le = ie._x, Ce = ie._y, Le || Ce) {
          let { left: le, top: Z, width: W, height: R2 } = t3.select, ge = t3.scales[E4].ori, ve = t3.posToVal, Re, ue, ke, Je, Ge, st = _4 != null && b4(_4, E4), ht2 = v4 != null && M2(v4, Y);
          st && Le ? (ge == 0 ? (Re = le, ue = W) : (Re = Z, ue = R2), ke = x2[_4], Je = C3(ve(Re, E4), ke, p3, 0), Ge = C3(ve(Re + ue, E4), ke, p3, 0), Rl(wt(Je, Ge), Ae(Ge - Je))) : Rl(0, p3), ht2 && Ce ? (ge == 1 ? (Re = le, ue = W) : (Re = Z, ue = R2), ke = x2[v4], Je = I2(ve(Re, Y), ke, S2, 0), Ge = I2(ve(Re + ue, Y), ke, S2, 0), zl(wt(Je, Ge), Ae(Ge - Je))) : zl(0, S2);
        } else
          On();
      } else {
        let _4 = Ae(Li - Pi), v4 = Ae(Ci - Di);
        if (T4.ori == 1) {
          let Y = _4;
          _4 = v4, v4 = Y;
        }
        Le = Fe.x && _4 >= Fe.dist, Ce = Fe.y && v4 >= Fe.dist;
        let b4 = Fe.uni;
        b4 != null ? Le && Ce && (Le = _4 >= b4, Ce = v4 >= b4, !Le && !Ce && (v4 > _4 ? Ce = !0 : Le = !0)) : Fe.x && Fe.y && (Le || Ce) && (Le = Ce = !0);
        let M2, E4;
        Le && (T4.ori == 0 ? (M2 = gl, E4 = he) : (M2 = dl, E4 = _e), Rl(wt(M2, E4), Ae(E4 - M2)), Ce || zl(0, S2)), Ce && (T4.ori == 1 ? (M2 = gl, E4 = he) : (M2 = dl, E4 = _e), zl(wt(M2, E4), Ae(E4 - M2)), Le || Rl(0, p3)), !Le && !Ce && (Rl(0, 0), zl(0, 0));
      }
    if (Fe._x = Le, Fe._y = Ce, t3 == null) {
      if (r4) {
        if (Ui != null) {
          let [_4, v4] = xe.scales;
          xe.values[0] = _4 != null ? kt(T4.ori == 0 ? he : _e, _4) : null, xe.values[1] = v4 != null ? kt(T4.ori == 1 ? he : _e, v4) : null;
        }
        Ol(In, n3, he, _e, K3, A3, f6);
      }
      if (sl) {
        let _4 = r4 && xe.setSeries, v4 = yt.prox;
        Kt == null ? Et <= v4 && vt(zt, Sl, !0, _4) : Et > v4 ? vt(null, Sl, !0, _4) : zt != Kt && vt(zt, Sl, !0, _4);
      }
    }
    it2 && (J2.idx = f6, Rn()), l3 !== !1 && Ve("setCursor");
  }
  let Ft = null;
  Object.defineProperty(n3, "rect", {
    get() {
      return Ft == null && Fl(!1), Ft;
    }
  });
  function Fl(t3 = !1) {
    t3 ? Ft = null : (Ft = D3.getBoundingClientRect(), Ve("syncRect", Ft));
  }
  function zi(t3, l3, r4, f6, c4, p3, S2) {
    V3._lock || Vt && t3 != null && t3.movementX == 0 && t3.movementY == 0 || (zn(t3, l3, r4, f6, c4, p3, S2, !1, t3 != null), t3 != null ? jt(null, !0, !0) : jt(l3, !0, !1));
  }
  function zn(t3, l3, r4, f6, c4, p3, S2, _4, v4) {
    if (Ft == null && Fl(!1), Bt(t3), t3 != null)
      r4 = t3.clientX - Ft.left, f6 = t3.clientY - Ft.top;
    else {
      if (r4 < 0 || f6 < 0) {
        he = -10, _e = -10;
        return;
      }
      let [b4, M2] = xe.scales, E4 = l3.cursor.sync, [Y, ie] = E4.values, [le, Z] = E4.scales, [W, R2] = xe.match, ge = l3.axes[0].side % 2 == 1, ve = T4.ori == 0 ? K3 : A3, Re = T4.ori == 1 ? K3 : A3, ue = ge ? p3 : c4, ke = ge ? c4 : p3, Je = ge ? f6 : r4, Ge = ge ? r4 : f6;
      if (le != null ? r4 = W(b4, le) ? h4(Y, x2[b4], ve, 0) : -10 : r4 = ve * (Je / ue), Z != null ? f6 = R2(M2, Z) ? h4(ie, x2[M2], Re, 0) : -10 : f6 = Re * (Ge / ke), T4.ori == 1) {
        let st = r4;
        r4 = f6, f6 = st;
      }
    }
    v4 && (l3 == null || l3.cursor.event.type == In) && ((r4 <= 1 || r4 >= K3 - 1) && (r4 = Qt(r4, K3)), (f6 <= 1 || f6 >= A3 - 1) && (f6 = Qt(f6, A3))), _4 ? (Pi = r4, Di = f6, [gl, dl] = V3.move(n3, r4, f6)) : (he = r4, _e = f6);
  }
  let Fn = {
    width: 0,
    height: 0,
    left: 0,
    top: 0
  };
  function On() {
    Xl(Fn, !1);
  }
  let Fi, Oi, Hi, Ni;
  function Wi(t3, l3, r4, f6, c4, p3, S2) {
    Vt = !0, Le = Ce = Fe._x = Fe._y = !1, zn(t3, l3, r4, f6, c4, p3, S2, !0, !1), t3 != null && (We(Yn, Un, Gi, !1), Ol(Ji, n3, gl, dl, K3, A3, null));
    let { left: _4, top: v4, width: b4, height: M2 } = me;
    Fi = _4, Oi = v4, Hi = b4, Ni = M2;
  }
  function Gi(t3, l3, r4, f6, c4, p3, S2) {
    Vt = Fe._x = Fe._y = !1, zn(t3, l3, r4, f6, c4, p3, S2, !1, !0);
    let { left: _4, top: v4, width: b4, height: M2 } = me, E4 = b4 > 0 || M2 > 0, Y = Fi != _4 || Oi != v4 || Hi != b4 || Ni != M2;
    if (E4 && Y && Xl(me), Fe.setScale && E4 && Y) {
      let ie = _4, le = b4, Z = v4, W = M2;
      if (T4.ori == 1 && (ie = v4, le = M2, Z = _4, W = b4), Le && Rt(
        P3,
        kt(ie, P3),
        kt(ie + le, P3)
      ), Ce)
        for (let R2 in x2) {
          let ge = x2[R2];
          R2 != P3 && ge.from == null && ge.min != ce && Rt(
            R2,
            kt(Z + W, R2),
            kt(Z, R2)
          );
        }
      On();
    } else V3.lock && (V3._lock = !V3._lock, jt(l3, !0, t3 != null));
    t3 != null && (nl(Yn, Un), Ol(Yn, n3, he, _e, K3, A3, null));
  }
  function js(t3, l3, r4, f6, c4, p3, S2) {
    if (V3._lock)
      return;
    Bt(t3);
    let _4 = Vt;
    if (Vt) {
      let v4 = !0, b4 = !0, M2 = 10, E4, Y;
      T4.ori == 0 ? (E4 = Le, Y = Ce) : (E4 = Ce, Y = Le), E4 && Y && (v4 = he <= M2 || he >= K3 - M2, b4 = _e <= M2 || _e >= A3 - M2), E4 && v4 && (he = he < gl ? 0 : K3), Y && b4 && (_e = _e < dl ? 0 : A3), jt(null, !0, !0), Vt = !1;
    }
    he = -10, _e = -10, fe.fill(null), jt(null, !0, !0), _4 && (Vt = _4);
  }
  function Ii(t3, l3, r4, f6, c4, p3, S2) {
    V3._lock || (Bt(t3), _n(), On(), t3 != null && Ol(Xi, n3, he, _e, K3, A3, null));
  }
  function Yi() {
    H3.forEach(Bf), Sn(n3.width, n3.height, !0);
  }
  Jt(tn, kl, Yi);
  let _l = {};
  _l.mousedown = Wi, _l.mousemove = zi, _l.mouseup = Gi, _l.dblclick = Ii, _l.setSeries = (t3, l3, r4, f6) => {
    let c4 = xe.match[2];
    r4 = c4(n3, l3, r4), r4 != -1 && vt(r4, f6, !0, !1);
  }, Ne && (We(Ji, D3, Wi), We(In, D3, zi), We(Zi, D3, (t3) => {
    Bt(t3), Fl(!1);
  }), We(Qi, D3, js), We(Xi, D3, Ii), gi.add(n3), n3.syncRect = Fl);
  let en = n3.hooks = e3.hooks || {};
  function Ve(t3, l3, r4) {
    Dn ? Vl.push([t3, l3, r4]) : t3 in en && en[t3].forEach((f6) => {
      f6.call(null, n3, l3, r4);
    });
  }
  (e3.plugins || []).forEach((t3) => {
    for (let l3 in t3.hooks)
      en[l3] = (en[l3] || []).concat(t3.hooks[l3]);
  });
  let Bi = (t3, l3, r4) => r4, xe = Te({
    key: null,
    setSeries: !1,
    filters: {
      pub: So,
      sub: So
    },
    scales: [P3, k2[1] ? k2[1].scale : null],
    match: [_o, _o, Bi],
    values: [null, null]
  }, V3.sync);
  xe.match.length == 2 && xe.match.push(Bi), V3.sync = xe;
  let Ui = xe.key, Hn = ns(Ui);
  function Ol(t3, l3, r4, f6, c4, p3, S2) {
    xe.filters.pub(t3, l3, r4, f6, c4, p3, S2) && Hn.pub(t3, l3, r4, f6, c4, p3, S2);
  }
  Hn.sub(n3);
  function qs(t3, l3, r4, f6, c4, p3, S2) {
    xe.filters.sub(t3, l3, r4, f6, c4, p3, S2) && _l[t3](null, l3, r4, f6, c4, p3, S2);
  }
  n3.pub = qs;
  function $s() {
    Hn.unsub(n3), gi.delete(n3), Nt.clear(), $n(tn, kl, Yi), g4.remove(), se?.remove(), Ve("destroy");
  }
  n3.destroy = $s;
  function Nn() {
    Ve("init", e3, i4), vi(i4 || e3.data, !1), F3[P3] ? Ln(P3, F3[P3]) : _n(), jl = me.show && (me.width > 0 || me.height > 0), Yt = it2 = !0, Sn(e3.width, e3.height);
  }
  return k2.forEach(_i), H3.forEach(As), o4 ? o4 instanceof HTMLElement ? (o4.appendChild(g4), Nn()) : o4(n3, Nn) : Nn(), n3;
}
He.assign = Te, He.fmtNum = Qn, He.rangeNum = sn, He.rangeLog = on, He.rangeAsinh = Jn, He.orient = el, He.pxRatio = oe, He.join = Rr, He.fmtDate = li, He.tzDate = Ur, He.sync = ns;
{
  He.addGap = Ef, He.clipGaps = hn;
  let e3 = He.paths = {
    points: cs
  };
  e3.linear = ps, e3.stepped = Lf, e3.bars = Cf, e3.spline = Rf;
}

// src/frame.ts
function host() {
  return window.frameElement ? window.parent : window;
}
var outer = host();
function isShown() {
  return document.visibilityState === "visible" && window.innerHeight > 0;
}
function onReload(callback) {
  let frame = window.frameElement;
  frame && (frame.reload = callback);
}

// src/theme.ts
var listeners = /* @__PURE__ */ new Set(), system = window.matchMedia("(prefers-color-scheme: dark)"), current = null;
function wanted() {
  return (outer === window ? system.matches : outer.document.body.classList.contains("dark-mode")) ? "dark" : "light";
}
function apply() {
  let theme = wanted();
  if (theme !== current) {
    current = theme, document.documentElement.dataset.theme = theme;
    for (let listener of listeners) listener(theme);
  }
}
function followTheme() {
  apply(), system.addEventListener("change", apply), outer !== window && new MutationObserver(apply).observe(outer.document.body, { attributes: !0, attributeFilter: ["class"] });
}
function onTheme(listener) {
  return listeners.add(listener), () => listeners.delete(listener);
}
function colour(variable) {
  return getComputedStyle(document.documentElement).getPropertyValue(variable).trim();
}

// src/views/category.ts
var CATEGORIES = {
  compute_8bit: ["--device8", "Compute 8-bit"],
  compute_16bit: ["--device16", "Compute 16-bit"],
  compute_tf32: ["--device-tf32", "Compute TF32"],
  compute_32bit: ["--device", "Compute 32-bit"],
  compute_64bit: ["--device64", "Compute 64-bit"],
  compute_other: ["--device-any", "Compute"],
  op_compute: ["--host", "Op compute"],
  collective: ["--collective", "Collectives"],
  copy_device: ["--copy-device", "Copy on device"],
  copy_in: ["--copy", "Copy in"],
  copy_out: ["--copy-out", "Copy out"],
  input_wait: ["--input", "Input wait"],
  compilation: ["--compile", "Compilation"],
  output: ["--output", "Output"],
  launch: ["--launch", "Kernel launch"],
  host_compute: ["--host", "Host compute"],
  runtime: ["--runtime", "Runtime overhead"],
  waiting: ["--waiting", "Waiting"],
  python: ["--python", "Python"],
  idle: ["--idle", "Idle, cause unknown"],
  rest: ["--unknown", "Rest of the step"],
  work: ["--device-any", "Own work of the fastest"],
  skew: ["--waiting", "Skew: what the slowest has more"]
}, WORDS = [
  [/idle/, "--idle"],
  [/unknown|other|device_wait/, "--unknown"],
  [/input|infeed|dataset|iterator/, "--input"],
  [/16|half|bf16|tensor_?core/, "--device16"],
  [/collective|all_?reduce|all_?gather|nccl|send|recv/, "--collective"],
  [/memcpy|memset|copy|transfer|h2d|d2h|d2d/, "--copy"],
  [/compil/, "--compile"],
  [/launch/, "--launch"],
  [/python|between/, "--python"],
  [/host|cpu/, "--host"],
  [/device|gpu|tpu|kernel|compute|busy/, "--device"]
];
function known(name) {
  return CATEGORIES[name.replace(/_ms$/, "")];
}
function categoryOf(name) {
  let lower = name.toLowerCase();
  return known(name)?.[0] ?? WORDS.find(([word]) => word.test(lower))?.[1] ?? "--host";
}
function namesOfNone(none, seen) {
  let isCompute = (name) => name.startsWith("compute_"), computes = seen.some(isCompute), names = none.flatMap(
    ([name, title]) => isCompute(name) ? computes ? [] : ["device compute"] : [title.charAt(0).toLowerCase() + title.slice(1)]
  );
  return [...new Set(names)];
}
function titleOf(name) {
  return known(name)?.[1];
}

// src/clipboard.ts
function copyBySelection(text2) {
  let area = document.createElement("textarea");
  area.value = text2, area.className = "offscreen";
  let focused = document.activeElement;
  document.body.append(area), area.select();
  let done = document.execCommand("copy");
  return area.remove(), focused?.focus(), done;
}
async function copyText(text2) {
  return window.isSecureContext ? navigator.clipboard.writeText(text2).then(
    () => !0,
    () => copyBySelection(text2)
  ) : copyBySelection(text2);
}

// src/views/chosen.ts
var STEPS = /* @__PURE__ */ new Map([
  ["ArrowDown", 1],
  ["ArrowUp", -1],
  ["PageDown", 20],
  ["PageUp", -20],
  ["Home", -1 / 0],
  ["End", 1 / 0]
]);
function useChosen(shown, scrollTo) {
  let [range, setRange] = d2(null);
  A2(() => setRange(null), [shown]);
  let reach = (to2, extend) => setRange({ from: extend && range ? range.from : to2, to: to2 }), rows2 = range ? shown.slice(Math.min(range.from, range.to), Math.max(range.from, range.to) + 1) : [], onKey2 = (event) => {
    let step2 = STEPS.get(event.key);
    if (step2 === void 0) return !1;
    event.preventDefault();
    let to2 = Math.min(shown.length - 1, Math.max(0, (range?.to ?? -1) + step2));
    return reach(to2, event.shiftKey), scrollTo(to2), !0;
  };
  return {
    rows: rows2,
    at: range ? shown[range.to] : void 0,
    onClick: (event, index) => reach(index, event.shiftKey),
    onKey: onKey2
  };
}

// src/views/rows.ts
var COMPARISON = /^([a-z_][\w.]*?)(<=|>=|<|>|!=|=)(-?\d+(?:\.\d+)?(?:e-?\d+)?)\s*(%|[a-zµ]*)$/i, FACTORS = {
  ps: 1e-12,
  ns: 1e-9,
  us: 1e-6,
  µs: 1e-6,
  ms: 1e-3,
  s: 1,
  bytes: 1,
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  share: 1,
  "%": 0.01
};
function compare(operator, limit) {
  switch (operator) {
    case "<":
      return (value) => value < limit;
    case "<=":
      return (value) => value <= limit;
    case ">":
      return (value) => value > limit;
    case ">=":
      return (value) => value >= limit;
    case "!=":
      return (value) => value !== limit;
    default:
      return (value) => value === limit;
  }
}
function findColumn(columns, word) {
  let wanted3 = word.toLowerCase(), starts = (c4) => c4.name.startsWith(wanted3) || label(c4).toLowerCase().replaceAll(" ", "_").startsWith(wanted3);
  return columns.find((c4) => c4.name === wanted3) ?? columns.find((c4) => isNumeric(c4) && starts(c4));
}
function inUnitOf(column, value, unit) {
  let from = FACTORS[unit.toLowerCase()], to2 = FACTORS[column.unit];
  return unit && from !== void 0 && to2 !== void 0 ? value * from / to2 : value;
}
function comparison(word, columns, data) {
  let match = COMPARISON.exec(word);
  if (!match) return null;
  let [, name = "", operator = "", number3 = "", unit = ""] = match, column = findColumn(columns, name);
  if (!column) return null;
  let test = compare(operator, inUnitOf(column, Number(number3), unit)), cells = data.columns[column.name] ?? [];
  return (row) => typeof cells[row] == "number" && test(cells[row]);
}
function contains(word, columns, data) {
  let wanted3 = word.toLowerCase(), texts2 = columns.filter((c4) => !isNumeric(c4)).map((c4) => data.columns[c4.name] ?? []);
  return (row) => texts2.some(
    (cells) => String(cells[row] ?? "").toLowerCase().includes(wanted3)
  );
}
function parseFilter(text2, columns, data) {
  return text2.split(/\s+/).filter((word) => word && word !== "-").map((word) => {
    let negative = word.startsWith("-"), bare = negative ? word.slice(1) : word, test = comparison(bare, columns, data) ?? contains(bare, columns, data);
    return negative ? (row) => !test(row) : test;
  });
}
function order(a4, b4, sign) {
  return a4 == null ? b4 == null ? 0 : 1 : b4 == null ? -1 : typeof a4 == "string" && typeof b4 == "string" ? sign * (a4 < b4 ? -1 : a4 > b4 ? 1 : 0) : sign * (Number(a4) - Number(b4));
}
function rowCount(data) {
  return Object.values(data.columns)[0]?.length ?? 0;
}
function pickRows(data, columns, filter, sort) {
  let tests = parseFilter(filter, columns, data), rows2 = [];
  for (let row = 0; row < rowCount(data); row++) tests.every((test) => test(row)) && rows2.push(row);
  let cells = sort && data.columns[sort.column];
  return sort && cells && rows2.sort((a4, b4) => order(cells[a4], cells[b4], sort.down ? -1 : 1)), rows2;
}
function toTsv(data, columns, rows2) {
  let clean = (value) => String(value ?? "").replace(/[\t\r\n]+/g, " "), line = (row) => columns.map((c4) => clean(data.columns[c4.name]?.[row])).join("	");
  return [columns.map((c4) => c4.name).join("	"), ...rows2.map(line)].join(`
`);
}

// src/views/columns.ts
var LETTER_PX = 7.3, PADDING_PX = 16, SORT_MARK_PX = 18, SAMPLES = 300, MOST_LETTERS = 24, ELASTIC_LETTERS = 60;
function longest(column, data, count2) {
  let cells = data.columns[column.name] ?? [], step2 = Math.max(1, Math.floor(count2 / SAMPLES)), most = 0;
  for (let row = 0; row < count2; row += step2) most = Math.max(most, formatCell(cells[row], column).length);
  return Math.min(most, ELASTIC_LETTERS);
}
function measure(columns, data) {
  let count2 = rowCount(data), measured = columns.map((column) => ({ column, letters: longest(column, data, count2) })), most = Math.max(0, ...measured.filter(({ column }) => !isNumeric(column)).map(({ letters }) => letters));
  return measured.map(({ column, letters }) => {
    let head = label(column).length * LETTER_PX + SORT_MARK_PX, body = (letters < most ? Math.min(letters, MOST_LETTERS) : letters) * LETTER_PX;
    return { column, px: Math.ceil(Math.max(head, body, 40) + PADDING_PX) };
  });
}
function elastic(widths2) {
  return widths2.filter(({ column }) => !isNumeric(column)).reduce((best, one) => best && best.px >= one.px ? best : one, null)?.column.name ?? "";
}

// node_modules/preact/jsx-runtime/dist/jsxRuntime.mjs
var f3 = /* @__PURE__ */ Symbol.for("pv"), o3 = 0;
function a3(t3, e3, n3, u3, a4, i4) {
  e3 || (e3 = {});
  var c4, l3, p3 = e3;
  if ("ref" in p3 && typeof t3 != "function") for (l3 in p3 = {}, e3) l3 == "ref" ? c4 = e3[l3] : p3[l3] = e3[l3];
  var s4 = { type: t3, props: p3, key: n3, ref: c4, __k: null, __: null, __b: 0, __e: null, __c: null, constructor: f3, __v: --o3, __i: -1, __u: 0 };
  return (a4 || i4) && (s4.__source = a4, s4.__self = i4), n.vnode && n.vnode(s4), s4;
}

// src/views/copy_button.tsx
var SAID_MS = 1500;
function CopyButton({ text: text2, label: label2, title = label2 }) {
  let [said, say] = d2("");
  return /* @__PURE__ */ a3("button", { type: "button", class: "copy", title, onClick: async () => {
    say(await copyText(text2()) ? "Copied" : "Not allowed"), setTimeout(() => say(""), SAID_MS);
  }, children: /* @__PURE__ */ a3("span", { "aria-live": "polite", children: said || label2 }) });
}

// src/views/name.tsx
var ONE_WIDTH = /^[ -~]*$/;
function tailOf(letters) {
  return letters.includes("/") ? 40 : 14;
}
function Name({ text: text2, title = text2, ...given2 }) {
  let letters = [...text2], tail = Math.min(given2.tail ?? tailOf(letters), letters.length - 12), end = letters.slice(-tail).join("");
  return letters.length < 26 || !ONE_WIDTH.test(end) ? /* @__PURE__ */ a3("span", { class: "name", title, children: text2 }) : /* @__PURE__ */ a3("span", { class: "name cut", title, style: { "--tail": `${tail}ch` }, children: [
    /* @__PURE__ */ a3("span", { class: "name-head", children: letters.slice(0, -tail).join("") }),
    /* @__PURE__ */ a3("span", { class: "name-tail", children: /* @__PURE__ */ a3("bdi", { dir: "ltr", children: end }) })
  ] });
}

// src/views/table_parts.tsx
var FEW_ROWS = 12, ELASTIC_PX = 240, ELASTIC_SHARE = 0.4, FILTER_HELP = [
  "Words must be in a row's text; -word must not.",
  "Comparisons with a column's name or its beginning: self_us>100  self>1.5ms  occ>=10  self_share<5%"
].join(`
`);
function ColumnWidths({ widths: widths2 }) {
  let wide = elastic(widths2);
  return /* @__PURE__ */ a3("colgroup", { children: widths2.map(({ column, px }) => /* @__PURE__ */ a3("col", { style: column.name === wide ? {} : { width: `${px}px` } }, column.name)) });
}
function leastWidth(widths2) {
  let wide = elastic(widths2), most = Math.min(ELASTIC_PX, ELASTIC_SHARE * window.innerWidth);
  return widths2.reduce((sum, { column, px }) => sum + (column.name === wide ? Math.min(px, most) : px), 0);
}
function nextSort(sort, column) {
  let first = isNumeric(column);
  return sort?.column !== column.name ? { column: column.name, down: first } : sort.down === first ? { column: column.name, down: !first } : null;
}
function Head({ columns, sort, setSort }) {
  return /* @__PURE__ */ a3("thead", { children: /* @__PURE__ */ a3("tr", { "aria-rowindex": 1, children: columns.map((column) => /* @__PURE__ */ a3(
    HeadCell,
    {
      column,
      sort: sort?.column === column.name ? sort : null,
      press: () => setSort(nextSort(sort, column))
    },
    column.name
  )) }) });
}
function HeadCell({ column, sort, press: press2 }) {
  let direction = sort ? sort.down ? "descending" : "ascending" : "none", name = label(column);
  return /* @__PURE__ */ a3("th", { scope: "col", "aria-label": name, "aria-sort": direction, class: isNumeric(column) ? "number" : "", children: /* @__PURE__ */ a3("button", { type: "button", "aria-label": `Sort by ${name}`, title: `${column.help}
${column.name}`, onClick: press2, children: [
    name,
    /* @__PURE__ */ a3("i", { "aria-hidden": "true", children: sort ? sort.down ? " ▾" : " ▴" : "" })
  ] }) });
}
function Cell({ column, value }) {
  let text2 = formatCell(value, column);
  if (!isNumeric(column))
    return /* @__PURE__ */ a3("td", { class: "text", children: /* @__PURE__ */ a3(Name, { text: text2 }) });
  let title = exactValue(value, column.unit), isShare = column.unit === "share" && typeof value == "number";
  return /* @__PURE__ */ a3("td", { class: isShare ? "number share" : "number", title, children: [
    isShare && /* @__PURE__ */ a3("b", { style: { width: `${100 * Math.min(1, Math.max(0, value))}%` } }),
    /* @__PURE__ */ a3("span", { children: text2 })
  ] });
}
function Cells({ columns, data, row }) {
  return columns.map((column) => /* @__PURE__ */ a3(Cell, { column, value: data.columns[column.name]?.[row] }, column.name));
}
function rowsText(shown, total2) {
  return shown < total2 ? `${grouped(shown)} of ${grouped(total2)} rows` : total2 > FEW_ROWS ? `${grouped(total2)} rows` : "";
}
function TableBar({ title, spec, shown, total: total2, empty, state, setState, children }) {
  return /* @__PURE__ */ a3("div", { class: "table-bar", children: [
    /* @__PURE__ */ a3("h2", { title: spec.help, children: title }),
    total2 > FEW_ROWS && /* @__PURE__ */ a3(
      "input",
      {
        type: "search",
        class: "table-filter",
        spellcheck: !1,
        "aria-label": `Filter ${title}`,
        value: state.filter,
        placeholder: "Filter: conv self>1ms",
        title: FILTER_HELP,
        onInput: (event) => setState({ ...state, filter: event.currentTarget.value })
      }
    ),
    /* @__PURE__ */ a3("span", { class: "soft", role: "status", children: rowsText(shown, total2) }),
    empty.length > 0 && /* @__PURE__ */ a3("span", { class: "soft", title: empty.map((c4) => `${label(c4)}: ${c4.help}`).join(`
`), children: [
      counted(empty.length, "empty column"),
      " hidden"
    ] }),
    /* @__PURE__ */ a3("span", { class: "grow" }),
    children
  ] });
}

// node_modules/@tanstack/virtual-core/dist/esm/lazy-measurements.js
function y3(t3) {
  return typeof t3 == "object" ? t3.key : t3;
}
function g3(t3, s4) {
  let i4 = t3.length;
  return new Proxy(t3, {
    get(c4, n3, f6) {
      if (typeof n3 == "string") {
        let o4 = n3.charCodeAt(0);
        if (o4 >= 48 && o4 <= 57) {
          let e3 = +n3;
          if (Number.isInteger(e3) && e3 >= 0 && e3 < i4) {
            let r4 = c4[e3];
            if (typeof r4 != "object") {
              let u3 = s4[e3 * 2];
              r4 = c4[e3] = {
                index: e3,
                key: r4,
                start: u3,
                size: s4[e3 * 2 + 1],
                end: u3 + s4[e3 * 2 + 1],
                lane: 0
              };
            }
            return r4;
          }
        }
        if (n3 === "length") return i4;
      }
      return Reflect.get(c4, n3, f6);
    }
  });
}

// node_modules/@tanstack/virtual-core/dist/esm/utils.js
function b2(n3, t3, e3) {
  let i4 = e3.initialDeps ?? [], o4, s4 = !0;
  function h4() {
    var a4;
    let c4 = !!e3.key && !!((a4 = e3.debug) != null && a4.call(e3)), f6 = 0;
    c4 && (f6 = Date.now());
    let u3 = n3();
    if (!(u3.length !== i4.length || u3.some((r4, d4) => i4[d4] !== r4)))
      return o4;
    i4 = u3;
    let m3 = 0;
    if (c4 && (m3 = Date.now()), o4 = t3(...u3), c4) {
      let r4 = Math.round((Date.now() - f6) * 100) / 100, d4 = Math.round((Date.now() - m3) * 100) / 100, p3 = d4 / 16, g4 = (l3, D3) => {
        for (l3 = String(l3); l3.length < D3; )
          l3 = " " + l3;
        return l3;
      };
      console.info(
        `%c⏱ ${g4(d4, 5)} /${g4(r4, 5)} ms`,
        `
            font-size: .6rem;
            font-weight: bold;
            color: hsl(${Math.max(
          0,
          Math.min(120 - 120 * p3, 120)
        )}deg 100% 31%);`,
        e3?.key
      );
    }
    return e3?.onChange && !(s4 && e3.skipInitialOnChange) && e3.onChange(o4), s4 = !1, o4;
  }
  return h4.updateDeps = (a4) => {
    i4 = a4;
  }, h4;
}
function w3(n3, t3) {
  if (n3 === void 0)
    throw new Error(`Unexpected undefined${t3 ? `: ${t3}` : ""}`);
  return n3;
}
var E3 = (n3, t3) => Math.abs(n3 - t3) < 1.01, T3 = (n3, t3, e3) => {
  let i4;
  return Object.assign(
    function(...o4) {
      n3.clearTimeout(i4), i4 = n3.setTimeout(() => t3.apply(this, o4), e3);
    },
    {
      // The handle is closure-local, so a caller that has already
      // unsubscribed has no way to stop a queued call. Teardown paths use
      // this to drop the pending invocation instead of letting it land.
      cancel: () => {
        n3.clearTimeout(i4);
      }
    }
  );
};

// node_modules/@tanstack/virtual-core/dist/esm/scroll-classifier.js
function c3({
  offset: t3,
  isScrolling: a4,
  elementMax: r4,
  holdOffset: l3,
  scrollOffset: u3,
  pendingWrite: o4,
  clampedMaxAtWrite: n3
}) {
  var e3;
  return a4 && o4 === null && t3 === u3 ? "spurious" : o4 !== null && Math.abs(t3 - o4.target) < 1.5 ? "readBack" : o4 !== null && !o4.smooth && r4 !== null && o4.target > r4 + l3 + 0.5 && Math.abs(t3 - (r4 + l3)) < 1.5 || o4 !== null && !o4.smooth && (e3 = o4.lowMaxes) != null && e3.some((s4) => Math.abs(t3 - s4) < 1.5) ? "clampedReadBack" : n3 !== null && Math.abs(t3 - n3) < 1.5 ? "clampedEcho" : "external";
}
var i3 = (t3) => t3 === "smooth" || t3 === "smoothFinishing";
function b3({
  kind: t3,
  offset: a4,
  command: r4,
  target: l3
}) {
  return t3 !== "spurious" && t3 !== "readBack" && // Our own write, clamped (`clampedReadBack`, #1310): the command is not
  // retired by it, and reconcile retargets below the new max.
  t3 !== "clampedReadBack" && r4?.index != null && // Nothing has been written for a command waiting for the tail; these
  // are the fling's events.
  r4.phase !== "queued" && // A non-smooth write lands at once, so any other scroll event is the
  // user's, even before reconcile saw the target reached (the target may
  // keep moving, or iOS ignored the write under a finger). A write the
  // browser clamped because the sizer hasn't grown yet reads back at the
  // max, which is also where the fresh target clamps, so the check below
  // keeps it reconciling (#1294). While a smooth scroll's animation may
  // still report, its events look like a user's, so it yields only once it
  // has landed.
  !i3(r4.phase) && !E3(a4, r4.lastTargetOffset) && !E3(a4, l3()) && // A compensation write's clamped echo (#1258) keeps the command. The
  // order is deliberate, not tidiness: this clause stays after `target()`
  // (and `clampedReadBack` before it) because `target()` can rebuild the
  // measurements, so it must run for exactly the events it always did.
  t3 !== "clampedEcho";
}
var f4 = 40;
function M(t3) {
  let a4 = t3[t3.length - 1];
  if (a4 === void 0) return !1;
  let r4 = t3.length - 2;
  for (; r4 >= 0 && a4.t - t3[r4].t < f4; ) r4--;
  if (r4 < 0) return !1;
  let l3 = t3[r4], u3 = r4 - 1;
  for (; u3 >= 0 && l3.t - t3[u3].t < f4; ) u3--;
  if (u3 < 0) return !1;
  let o4 = t3[u3], n3 = (a4.offset - l3.offset) / (a4.t - l3.t), e3 = (l3.offset - o4.offset) / (l3.t - o4.t);
  return n3 * e3 >= 0 && Math.abs(n3) >= 2 * Math.abs(e3) && Math.abs(n3) - Math.abs(e3) >= 0.8;
}
function v3(t3) {
  let a4 = t3[t3.length - 1];
  if (a4 === void 0) return !1;
  let r4 = t3.length - 2;
  for (; r4 >= 0 && a4.t - t3[r4].t < f4; ) r4--;
  if (r4 < 0) return !1;
  let l3 = t3[r4];
  return Math.abs(a4.offset - l3.offset) / (a4.t - l3.t) >= 0.05;
}

// node_modules/@tanstack/virtual-core/dist/esm/ios-gesture.js
var s3, r3 = () => {
  if (s3 !== void 0) return s3;
  if (typeof navigator > "u") return s3 = !1;
  if (/iP(hone|od|ad)/.test(navigator.userAgent)) return s3 = !0;
  let u3 = navigator.maxTouchPoints;
  return s3 = navigator.platform === "MacIntel" && u3 !== void 0 && u3 > 0;
}, h3, d3 = () => h3 !== void 0 ? h3 : h3 = r3() && typeof CSS < "u" && typeof CSS.supports == "function" && CSS.supports("overflow-anchor: auto"), _3 = () => !r3() || d3();
var n2 = {
  capture: !0,
  passive: !0
}, f5 = class {
  constructor(v4) {
    this.host = v4, this._touch = null, this.inMotion = () => this._touch !== null && this._touch.phase !== "lateFling", this.dragging = () => {
      var t3;
      return ((t3 = this._touch) == null ? void 0 : t3.phase) === "down" && this._touch.moved;
    }, this.tail = () => {
      var t3;
      return ((t3 = this._touch) == null ? void 0 : t3.phase) === "tail" ? this._touch.moved ? "fling" : "tap" : null;
    }, this.onScroll = ({
      isScrolling: t3,
      ownReadBack: i4,
      moved: e3,
      external: o4
    }) => {
      var l3, a4, c4;
      return t3 && ((l3 = this._touch) == null ? void 0 : l3.phase) === "tail" ? this._openTail(this._touch.moved || !i4, !1) : ((a4 = this._touch) == null ? void 0 : a4.phase) === "lateFling" && (this.host.now() > this._touch.until ? this._touch = null : o4 && t3 && e3 && this._openTail(!0, !1)), !i4 && t3 && e3 && ((c4 = this._touch) == null ? void 0 : c4.phase) === "down" ? (this._touch.moved = !0, !0) : !1;
    }, this.touchStart = () => {
      this.end(), this._touch = { phase: "down", moved: !1 };
    }, this.touchEnd = () => {
      var t3;
      let i4 = ((t3 = this._touch) == null ? void 0 : t3.phase) === "down" && this._touch.moved;
      this.end(), this._openTail(i4, i4);
    }, this.end = () => {
      var t3;
      let i4 = this.host.getWindow();
      ((t3 = this._touch) == null ? void 0 : t3.phase) === "tail" && i4 != null && i4.clearTimeout(this._touch.timerId), this._touch = null;
    }, this.listen = (t3) => {
      let i4 = () => this.touchStart(), e3 = () => this.touchEnd();
      return t3.addEventListener("touchstart", i4, n2), t3.addEventListener("touchend", e3, n2), t3.addEventListener("touchcancel", e3, n2), () => {
        t3.removeEventListener(
          "touchstart",
          i4,
          n2
        ), t3.removeEventListener("touchend", e3, n2), t3.removeEventListener(
          "touchcancel",
          e3,
          n2
        ), this.end();
      };
    }, this._openTail = (t3, i4) => {
      let e3 = this.host.getWindow();
      if (e3 == null) return;
      this.end();
      let o4 = {
        phase: "tail",
        moved: t3,
        awaitingFling: i4,
        // Only fires while this tail is current: `end` clears it otherwise.
        timerId: e3.setTimeout(() => {
          if (this.host.tailStillMoving()) {
            this._openTail(o4.moved, o4.awaitingFling);
            return;
          }
          this._touch = o4.awaitingFling ? { phase: "lateFling", until: this.host.now() + 1e3 } : null, this.host.onTailClosed();
        }, 150)
      };
      this._touch = o4;
    };
  }
  get touch() {
    return this._touch;
  }
};

// node_modules/@tanstack/virtual-core/dist/esm/index.js
var V2 = (h4) => {
  let { clientWidth: r4, clientHeight: t3 } = h4;
  return { width: r4, height: t3 };
}, B3 = (h4) => {
  let r4 = /* @__PURE__ */ new Set();
  return {
    schedule: (t3) => {
      let e3 = h4.requestAnimationFrame(() => {
        r4.delete(e3), t3();
      });
      r4.add(e3);
    },
    cancel: () => {
      r4.forEach((t3) => h4.cancelAnimationFrame(t3)), r4.clear();
    }
  };
}, N2 = (h4) => h4, P2 = (h4) => {
  let r4 = h4.overscan * Math.max(h4.lanes ?? 1, 1), t3 = Math.max(h4.startIndex - r4, 0), s4 = Math.min(h4.endIndex + r4, h4.count - 1) - t3 + 1, i4 = new Array(s4);
  for (let n3 = 0; n3 < s4; n3++)
    i4[n3] = t3 + n3;
  return i4;
}, it = (h4, r4) => {
  let t3 = h4.scrollElement;
  if (!t3)
    return;
  let e3 = h4.targetWindow;
  if (!e3)
    return;
  let s4 = (l3) => {
    let { width: o4, height: a4 } = l3;
    r4({ width: Math.round(o4), height: Math.round(a4) });
  };
  if (s4(V2(t3)), !e3.ResizeObserver)
    return () => {
    };
  let i4 = B3(e3), n3 = new e3.ResizeObserver(() => {
    let l3 = () => {
      s4(V2(t3));
    };
    h4.options.useAnimationFrameWithResizeObserver ? i4.schedule(l3) : l3();
  });
  return n3.observe(t3, { box: "content-box" }), () => {
    n3.unobserve(t3), i4.cancel();
  };
}, L2 = {
  passive: !0
};
var lt = typeof window > "u" ? !0 : "onscrollend" in window, K2 = (h4, r4, t3) => {
  let e3 = h4.scrollElement;
  if (!e3)
    return;
  let s4 = h4.targetWindow;
  if (!s4)
    return;
  let i4 = h4.options.useScrollendEvent && lt, n3 = 0, l3 = i4 ? null : T3(
    s4,
    () => r4(t3(e3), !1),
    h4.options.isScrollingResetDelay
  ), o4 = (u3) => () => {
    n3 = t3(e3), l3?.(), r4(n3, u3);
  }, a4 = o4(!0), c4 = o4(!1);
  return e3.addEventListener("scroll", a4, L2), i4 && e3.addEventListener("scrollend", c4, L2), () => {
    e3.removeEventListener("scroll", a4), i4 && e3.removeEventListener("scrollend", c4), l3?.cancel();
  };
}, ot = (h4, r4) => K2(h4, r4, (t3) => {
  let { horizontal: e3, isRtl: s4 } = h4.options;
  return e3 ? t3.scrollLeft * (s4 && -1 || 1) : t3.scrollTop;
});
var H2 = (h4, r4, t3) => {
  if (t3.options.useCachedMeasurements) {
    let e3 = t3.indexFromElement(h4), s4 = t3.options.getItemKey(e3);
    return t3.itemSizeCache.get(s4) ?? t3.options.estimateSize(e3);
  }
  if (r4?.borderBoxSize) {
    let e3 = r4.borderBoxSize[0];
    if (e3)
      return Math.round(
        e3[t3.options.horizontal ? "inlineSize" : "blockSize"]
      );
  }
  if (!r4) {
    let e3 = t3.indexFromElement(h4), s4 = t3.options.getItemKey(e3), i4 = t3.itemSizeCache.get(s4);
    if (i4 !== void 0)
      return i4;
  }
  return h4[t3.options.horizontal ? "offsetWidth" : "offsetHeight"];
}, q2 = (h4, {
  adjustments: r4 = 0,
  behavior: t3
}, e3) => {
  var s4;
  let { scrollElement: i4, options: n3 } = e3, l3 = h4 + r4, o4 = n3.horizontal && n3.isRtl && i4 !== null && "ownerDocument" in i4;
  (s4 = i4?.scrollTo) == null || s4.call(i4, {
    [n3.horizontal ? "left" : "top"]: o4 ? -l3 : l3,
    behavior: t3
  });
};
var ht = q2, G3 = (h4, r4) => h4 === "smooth" ? r4 ? "smoothLanded" : "smooth" : "instant", R = (h4) => h4?.phase === "smooth" || h4?.phase === "smoothLanded";
function ct(h4, r4, t3, e3) {
  if (r4 === 0) return !1;
  let s4 = e3(0), i4 = /* @__PURE__ */ new Set(), n3 = 0;
  for (; n3 < h4; ) {
    let o4 = t3(n3);
    if (o4 === s4) break;
    i4.add(o4), n3++;
  }
  let l3 = h4 - n3;
  if (l3 === 0 || l3 >= r4) return !1;
  for (let o4 = 0; o4 < l3; o4++)
    if (e3(o4) !== t3(n3 + o4)) return !1;
  for (let o4 = l3; o4 < r4; o4++)
    if (i4.has(e3(o4))) return !1;
  return !0;
}
var ut2 = class {
  constructor(r4) {
    this.unsubs = [], this.scrollElement = null, this.targetWindow = null, this.isScrolling = !1, this.scrollState = null, this.measurementsCache = [], this._singleLaneMeasurements = null, this.itemSizeCache = /* @__PURE__ */ new Map(), this.itemSizeCacheVersion = 0, this.laneAssignments = /* @__PURE__ */ new Map(), this.pendingMin = null, this.prevLanes = void 0, this.lanesChangedFlag = !1, this.lanesSettling = !1, this.pendingScrollAnchor = null, this.scrollRect = null, this.scrollOffset = null, this.scrollDirection = null, this._holdOffset = 0, this._reportedOverscroll = !1, this._iosGesture = new f5({
      getWindow: () => this.targetWindow,
      now: () => this.now(),
      // The end of a fling can move less than a pixel per scroll event, so
      // events can stop for 150ms while the fling is still running (seen on
      // an iPhone, 27.0.1). A command waiting for it would then be written
      // into the fling and overridden. The element having moved since the
      // last event means it has not ended: wait again. Not while our own
      // write has yet to report: that moved it.
      tailStillMoving: () => {
        let t3 = this.scrollState;
        if (t3?.phase !== "queued" || this.pendingWrite !== null)
          return !1;
        let e3 = this._readElementOffset();
        return e3 === null || this._lastElementOffset === null || Math.abs(e3 - this._lastElementOffset) < 1 ? !1 : (this._lastElementOffset = e3, t3.samples = [...t3.samples ?? [], { t: this.now(), offset: e3 }], !0);
      },
      onTailClosed: () => {
        let t3 = this.scrollState;
        t3?.phase === "queued" && v3(t3.samples ?? []) && (this.scrollState = null), this._flushHoldIfReady(!0), this._writeAwaitingCommand(), this._retryClampedAdjustment();
      }
    }), this._lastElementOffset = null, this.pendingWrite = null, this._clampedAdjustment = null, this.elementsCache = /* @__PURE__ */ new Map(), this._resizeBatch = null, this.now = () => {
      var t3, e3, s4;
      return ((s4 = (e3 = (t3 = this.targetWindow) == null ? void 0 : t3.performance) == null ? void 0 : e3.now) == null ? void 0 : s4.call(e3)) ?? Date.now();
    }, this.observer = /* @__PURE__ */ (() => {
      let t3 = null, e3 = null, s4 = !1, i4 = !1, n3 = /* @__PURE__ */ new Set(), l3 = () => {
        if (t3)
          return t3;
        let a4 = this.targetWindow;
        if (!a4 || !a4.ResizeObserver)
          return null;
        let c4 = e3 = B3(a4);
        return t3 = new a4.ResizeObserver((u3) => {
          let g4 = () => {
            let d4 = { sync: !1 };
            this._resizeBatch = d4;
            try {
              u3.forEach(o4);
            } finally {
              this._resizeBatch = null, d4.notify && (this.notify(d4.sync), this._noteClampMax(), this._flushHoldIfReady(!0), this._retryClampedAdjustment(), this.measureElement(null));
            }
          };
          if (this.options.useAnimationFrameWithResizeObserver)
            c4.schedule(g4);
          else {
            s4 = !0;
            try {
              g4();
            } finally {
              s4 = !1;
            }
          }
        });
      }, o4 = (a4) => {
        let c4 = a4.target, u3 = this.indexFromElement(c4);
        if (!c4.isConnected) {
          this.observer.unobserve(c4);
          for (let [g4, d4] of this.elementsCache)
            if (d4 === c4) {
              this.elementsCache.delete(g4);
              break;
            }
          return;
        }
        this.isIndexInRange(u3) && this.shouldMeasureDuringScroll(u3) && this.resizeItem(u3, this.options.measureElement(c4, a4, this));
      };
      return {
        disconnect: () => {
          var a4;
          (a4 = l3()) == null || a4.disconnect(), e3?.cancel(), n3.clear(), i4 = !1, t3 = null, e3 = null;
        },
        observe: (a4) => {
          let c4 = l3();
          if (c4) {
            if (!s4) {
              c4.observe(a4, { box: "border-box" });
              return;
            }
            n3.add(a4), i4 || (i4 = !0, e3?.schedule(() => {
              i4 = !1, n3.forEach((u3) => {
                u3.isConnected && t3?.observe(u3, { box: "border-box" });
              }), n3.clear();
            }));
          }
        },
        unobserve: (a4) => {
          var c4;
          n3.delete(a4), (c4 = l3()) == null || c4.unobserve(a4);
        }
      };
    })(), this.range = null, this.setOptions = (t3) => {
      var e3;
      let s4 = {
        debug: !1,
        initialOffset: 0,
        overscan: 1,
        paddingStart: 0,
        paddingEnd: 0,
        scrollPaddingStart: 0,
        scrollPaddingEnd: 0,
        horizontal: !1,
        getItemKey: N2,
        rangeExtractor: P2,
        onChange: () => {
        },
        measureElement: H2,
        initialRect: { width: 0, height: 0 },
        scrollMargin: 0,
        gap: 0,
        indexAttribute: "data-index",
        initialMeasurementsCache: [],
        lanes: 1,
        anchorTo: "start",
        followOnAppend: !1,
        scrollEndThreshold: 1,
        isScrollingResetDelay: 150,
        enabled: !0,
        isRtl: !1,
        useScrollendEvent: !1,
        useAnimationFrameWithResizeObserver: !1,
        laneAssignmentMode: "estimate",
        useCachedMeasurements: !1
      };
      for (let c4 in t3) {
        let u3 = t3[c4];
        u3 !== void 0 && (s4[c4] = u3);
      }
      let i4 = this.options, n3 = null, l3 = null, o4 = !1;
      if (i4 !== void 0 && i4.enabled && s4.enabled && s4.anchorTo === "end" && this.scrollElement !== null) {
        let c4 = i4.count, u3 = s4.count, g4 = this.getMeasurements(), d4 = ((e3 = this._singleLaneMeasurements) == null ? void 0 : e3.items) ?? g4, S2 = (f6) => y3(d4[f6]), p3 = c4 > 0 ? S2(0) : null, y4 = c4 > 0 ? S2(c4 - 1) : null;
        if (u3 !== c4 || c4 > 0 && u3 > 0 && (s4.getItemKey(0) !== p3 || s4.getItemKey(u3 - 1) !== y4)) {
          o4 = !0;
          let f6 = c4 > 0 ? this.getVirtualItemForOffset(this.getScrollOffset()) ?? g4[0] : null;
          f6 && (n3 = [f6.key, this.getScrollOffset() - f6.start]);
          let x2 = s4.followOnAppend === !0 ? "auto" : s4.followOnAppend || null;
          x2 && u3 > 0 && this.isAtEnd(i4.scrollEndThreshold) && (c4 === 0 || s4.getItemKey(u3 - 1) !== y4) && (u3 > c4 || ct(
            c4,
            u3,
            S2,
            s4.getItemKey
          )) && (l3 = x2);
        }
      }
      this.options = s4, o4 && (this.pendingMin = 0, this.itemSizeCacheVersion++);
      let a4 = null;
      if (n3 && this.scrollOffset !== null && !this._awaitingCommandReadBack()) {
        let [c4, u3] = n3, g4 = this.getMeasurements(), { count: d4, getItemKey: S2 } = this.options, p3 = 0;
        for (; p3 < d4 && S2(p3) !== c4; )
          p3++;
        if (p3 < d4) {
          let y4 = g4[p3];
          if (y4) {
            let _4 = Math.max(0, y4.start + u3);
            !l3 && _4 !== this.scrollOffset && (a4 = _4 - this.scrollOffset, this.scrollOffset = _4);
          }
        }
      }
      l3 ? this.pendingScrollAnchor = { kind: "follow", behavior: l3 } : a4 !== null && (this._canWriteScroll() ? this.pendingScrollAnchor = { kind: "anchor", delta: a4 } : (this._holdOffset += a4, this._followOffsetTarget(a4)));
    }, this.notify = (t3) => {
      var e3, s4;
      (s4 = (e3 = this.options).onChange) == null || s4.call(e3, this, t3);
    }, this.maybeNotify = b2(
      () => (this.calculateRange(), [
        this.isScrolling,
        this.range ? this.range.startIndex : null,
        this.range ? this.range.endIndex : null
      ]),
      (t3) => {
        this.notify(t3);
      },
      {
        key: "maybeNotify",
        debug: () => this.options.debug,
        initialDeps: [
          this.isScrolling,
          this.range ? this.range.startIndex : null,
          this.range ? this.range.endIndex : null
        ]
      }
    ), this.cleanup = () => {
      var t3;
      this.unsubs.filter(Boolean).forEach((e3) => e3()), this.unsubs = [], this.observer.disconnect(), this.rafId != null && this.targetWindow && (this.targetWindow.cancelAnimationFrame(this.rafId), this.rafId = null), this.scrollState = null, (t3 = this._momentumStop) == null || t3.restore(), this._momentumStop = null, this.isScrolling = !1, this.scrollDirection = null, this._holdOffset = 0, this._reportedOverscroll = !1, this._clampedAdjustment = null, this.pendingWrite = null, this.scrollElement = null, this.targetWindow = null;
    }, this._didMount = () => () => {
      this.cleanup();
    }, this._willUpdate = () => {
      var t3;
      let e3 = this.options.enabled ? this.options.getScrollElement() : null;
      if (this.scrollElement !== e3) {
        if (this.cleanup(), !e3) {
          this.maybeNotify();
          return;
        }
        this.scrollElement = e3, this.scrollElement && "ownerDocument" in this.scrollElement ? this.targetWindow = this.scrollElement.ownerDocument.defaultView : this.targetWindow = ((t3 = this.scrollElement) == null ? void 0 : t3.window) ?? null, this.elementsCache.forEach((i4) => {
          this.observer.observe(i4);
        }), this.unsubs.push(
          this.options.observeElementRect(this, (i4) => {
            this.scrollRect = i4, this.maybeNotify();
          })
        ), this.unsubs.push(
          this.options.observeElementOffset(this, (i4, n3) => {
            var l3, o4, a4, c4;
            let u3 = n3 ? this._elementMaxScrollOffset() : null, g4 = this._reportedOverscroll;
            this._reportedOverscroll = i4 < 0 || u3 !== null && i4 > u3 + 1;
            let d4 = i4;
            this._lastElementOffset = d4, i4 = this._toLayoutOffset(i4);
            let S2 = this._classifyScrollEvent(
              i4,
              n3,
              u3
            );
            if (S2 === "spurious") return;
            S2 === "readBack" ? i4 = this.pendingWrite.target : S2 === "clampedReadBack" && ((l3 = this.scrollState) == null ? void 0 : l3.index) != null && // Not `elementMax`: an adapter can report the read-back at rest.
            i4 < this.getMaxScrollOffset() - 1.5 ? this.scrollState.lastTargetOffset = i4 : b3({
              kind: S2,
              offset: i4,
              command: this.scrollState,
              target: () => this.getScrollStateTarget(this.scrollState)
            }) && (this.scrollState = null), this.pendingWrite = null, this._clampedAdjustment !== null && Math.abs(i4 - this._clampedAdjustment.maxAtWrite) >= 1.5 && (this._clampedAdjustment = null);
            let p3 = this.getScrollOffset(), y4 = this.scrollDirection;
            this.scrollDirection = n3 ? p3 === i4 ? this.scrollDirection : p3 < i4 ? "forward" : "backward" : null, this.scrollOffset = i4, this.isScrolling = n3;
            let _4 = this.scrollState;
            if (_4?.phase === "queued" && S2 === "external" && n3)
              if (g4 || this._reportedOverscroll)
                _4.samples = [];
              else {
                let m3 = this.now();
                _4.samples = [
                  ...(_4.samples ?? []).filter(
                    (f6) => m3 - f6.t <= 200
                  ),
                  { t: m3, offset: d4 }
                ], (y4 !== null && this.scrollDirection !== y4 || M(_4.samples)) && (this.scrollState = null);
              }
            this._iosGesture.onScroll({
              isScrolling: n3,
              ownReadBack: S2 === "readBack",
              moved: i4 !== p3,
              // Neither our write's read-back nor a frame of our smooth
              // animation: the user or a fling moved it.
              external: S2 === "external" && ((o4 = this.scrollState) == null ? void 0 : o4.phase) !== "smooth" && ((a4 = this.scrollState) == null ? void 0 : a4.phase) !== "smoothFinishing"
            }) && // The user scrolls: a command still waiting for the tail is
            // theirs to override, like a written one would be.
            ((c4 = this.scrollState) == null ? void 0 : c4.phase) === "queued" && (this.scrollState = null), this._flushHoldIfReady(!0), this.scrollState && this.scheduleScrollReconcile(), this.maybeNotify();
          })
        ), "addEventListener" in this.scrollElement && this.unsubs.push(
          this._iosGesture.listen(this.scrollElement)
        ), this._scrollToOffset(this.getScrollOffset());
      }
      this._noteClampMax();
      let s4 = this.pendingScrollAnchor;
      this.pendingScrollAnchor = null, s4 && this.scrollElement && this.options.enabled && (s4.kind === "anchor" ? this._canWriteScroll() ? R(this.scrollState) && !E3(
        this.getScrollOffset() - s4.delta,
        this.scrollState.lastTargetOffset
      ) || (this._followOffsetTarget(s4.delta), this._scrollToOffset(this.getScrollOffset())) : (this._holdOffset += s4.delta, this._followOffsetTarget(s4.delta), this.notify(!1)) : this.scrollToEnd({ behavior: s4.behavior })), this._flushHoldIfReady(!1), this._retryClampedAdjustment();
    }, this._classifyScrollEvent = (t3, e3, s4) => {
      var i4;
      return c3({
        offset: t3,
        isScrolling: e3,
        elementMax: s4,
        holdOffset: this._holdOffset,
        scrollOffset: this.scrollOffset,
        pendingWrite: this.pendingWrite,
        clampedMaxAtWrite: ((i4 = this._clampedAdjustment) == null ? void 0 : i4.maxAtWrite) ?? null
      });
    }, this._retryClampedAdjustment = () => {
      if (this._clampedAdjustment === null || !this.scrollElement || !this.options.enabled || !this._canWriteScroll())
        return;
      let { target: t3, maxAtWrite: e3 } = this._clampedAdjustment, s4 = this.getMaxScrollOffset();
      s4 > e3 + 0.5 && (this._clampedAdjustment = t3 > s4 + 0.5 ? { target: t3, maxAtWrite: s4 } : null, this._scrollToOffset(t3));
    }, this._writeAwaitingCommand = () => {
      let t3 = this.scrollState;
      if (t3 === null || t3.phase !== "queued") return;
      let { behavior: e3 } = t3;
      this.getMeasurements();
      let s4 = this.getScrollStateTarget(t3);
      t3.lastTargetOffset = s4, this._clampedAdjustment = null, t3.phase = G3(
        e3,
        t3.index != null && E3(s4, this.getScrollOffset())
      ), this._scrollToOffset(s4, { behavior: e3 }), this.scheduleScrollReconcile();
    }, this._readElementOffset = () => {
      let t3 = this.scrollElement;
      if (t3 == null) return null;
      let { horizontal: e3, isRtl: s4 } = this.options;
      return typeof t3.scrollTop == "number" ? e3 ? t3.scrollLeft * (s4 && -1 || 1) : t3.scrollTop : typeof t3.scrollY == "number" ? e3 ? t3.scrollX : t3.scrollY : null;
    }, this._canWriteScroll = () => !(r3() && this._iosGesture.inMotion()) && !this._reportedOverscroll, this._flushHoldIfReady = (t3) => {
      var e3;
      if (this._holdOffset === 0 || !this.scrollElement || !this.options.enabled || !this._canWriteScroll() || ((e3 = this.scrollState) == null ? void 0 : e3.phase) === "smooth") return;
      this._holdOffset = 0, this.scrollOffset !== null && this.scrollOffset < 0 && (this.scrollOffset = 0), this.notify(t3);
      let s4 = this.getCommandWrittenOffset() ?? this.getScrollOffset();
      this._clampedAdjustment = this._clampedBy(s4), this._scrollToOffset(s4);
    }, this.rafId = null, this.getSize = () => this.options.enabled ? (this.scrollRect = this.scrollRect ?? this.options.initialRect, this.scrollRect[this.options.horizontal ? "width" : "height"]) : (this.scrollRect = null, 0), this.getScrollOffset = () => this.options.enabled ? (this.scrollOffset = this.scrollOffset ?? (typeof this.options.initialOffset == "function" ? this.options.initialOffset() : this.options.initialOffset), this.scrollOffset) : (this.scrollOffset = null, 0), this.getMeasurementOptions = b2(
      () => [
        this.options.count,
        this.options.paddingStart,
        this.options.scrollMargin,
        this.options.getItemKey,
        this.options.enabled,
        this.options.lanes,
        this.options.laneAssignmentMode,
        this.options.gap
      ],
      (t3, e3, s4, i4, n3, l3, o4, a4) => (this.prevLanes !== void 0 && this.prevLanes !== l3 && (this.lanesChangedFlag = !0), this.prevLanes = l3, this.pendingMin = null, {
        count: t3,
        paddingStart: e3,
        scrollMargin: s4,
        getItemKey: i4,
        enabled: n3,
        lanes: l3,
        laneAssignmentMode: o4,
        gap: a4
      }),
      {
        key: !1
      }
    ), this.isIndexInRange = (t3) => t3 >= 0 && t3 < this.options.count, this.getMeasurements = b2(
      () => [this.getMeasurementOptions(), this.itemSizeCacheVersion],
      ({
        count: t3,
        paddingStart: e3,
        scrollMargin: s4,
        getItemKey: i4,
        enabled: n3,
        lanes: l3,
        laneAssignmentMode: o4,
        gap: a4
      }, c4) => {
        var u3;
        let g4 = this.itemSizeCache;
        if (!n3)
          return this.measurementsCache = [], this._singleLaneMeasurements = null, this.itemSizeCache.clear(), this.laneAssignments.clear(), [];
        if (this.laneAssignments.size > t3)
          for (let m3 of this.laneAssignments.keys())
            m3 >= t3 && this.laneAssignments.delete(m3);
        this.lanesChangedFlag && (this.lanesChangedFlag = !1, this.lanesSettling = !0, this.measurementsCache = [], this._singleLaneMeasurements = null, this.itemSizeCache.clear(), this.laneAssignments.clear(), this.pendingMin = null), this.measurementsCache.length === 0 && !this.lanesSettling && (this.measurementsCache = this.options.initialMeasurementsCache, this.measurementsCache.forEach((m3) => {
          this.itemSizeCache.set(m3.key, m3.size);
        }));
        let d4 = this.lanesSettling ? 0 : this.pendingMin ?? 0;
        if (this.pendingMin = null, this.lanesSettling && this.measurementsCache.length === t3 && (this.lanesSettling = !1), l3 === 1) {
          let m3 = t3 * 2, f6 = (u3 = this._singleLaneMeasurements) == null ? void 0 : u3.flat;
          if (!f6 || f6.length < m3) {
            let v4 = new Float64Array(m3);
            f6 && d4 > 0 && v4.set(f6.subarray(0, d4 * 2)), f6 = v4;
          }
          let x2 = d4 === 0 ? new Array(t3) : this._singleLaneMeasurements.items.slice(), O;
          if (d4 === 0)
            O = e3 + s4;
          else {
            let v4 = d4 - 1;
            O = f6[v4 * 2] + f6[v4 * 2 + 1] + a4;
          }
          for (let v4 = d4; v4 < t3; v4++) {
            let z3 = i4(v4);
            x2[v4] = z3;
            let C3 = g4.get(z3), I2 = typeof C3 == "number" ? C3 : this.options.estimateSize(v4);
            f6[v4 * 2] = O, f6[v4 * 2 + 1] = I2, O += I2 + a4;
          }
          this._singleLaneMeasurements = { flat: f6, items: x2 };
          let M2 = g3(x2, f6);
          return this.measurementsCache = M2, M2;
        }
        let S2 = this.measurementsCache.slice(0, d4), p3 = new Array(l3).fill(
          void 0
        ), y4 = new Float64Array(l3), _4 = 0;
        for (let m3 = 0; m3 < d4; m3++) {
          let f6 = S2[m3];
          f6 && (p3[f6.lane] === void 0 && _4++, p3[f6.lane] = m3, y4[f6.lane] = f6.end);
        }
        for (let m3 = d4; m3 < t3; m3++) {
          let f6 = i4(m3), x2 = this.laneAssignments.get(m3), O, M2, v4 = o4 === "estimate" || g4.has(f6);
          if (x2 !== void 0 && this.options.lanes > 1) {
            O = x2;
            let W = p3[O], b4 = W !== void 0 ? S2[W] : void 0;
            M2 = b4 ? b4.end + a4 : e3 + s4;
          } else if (_4 === l3) {
            let W = 0, b4 = y4[0], k2 = p3[0];
            for (let w4 = 1; w4 < l3; w4++) {
              let T4 = y4[w4];
              (T4 < b4 || T4 === b4 && p3[w4] < k2) && (W = w4, b4 = T4, k2 = p3[w4]);
            }
            O = W, M2 = b4 + a4, v4 && this.laneAssignments.set(m3, O);
          } else
            O = m3 % this.options.lanes, M2 = e3 + s4, v4 && this.laneAssignments.set(m3, O);
          let z3 = g4.get(f6), C3 = typeof z3 == "number" ? z3 : this.options.estimateSize(m3), I2 = M2 + C3;
          S2[m3] = {
            index: m3,
            start: M2,
            size: C3,
            end: I2,
            key: f6,
            lane: O
          }, p3[O] === void 0 && _4++, p3[O] = m3, y4[O] = I2;
        }
        return this.measurementsCache = S2, S2;
      },
      {
        key: "getMeasurements",
        debug: () => this.options.debug
      }
    ), this.calculateRange = b2(
      () => [
        this.getMeasurements(),
        this.getSize(),
        this.getScrollOffset(),
        this.options.lanes,
        // scrollOffset is measured in the scroll element and the layout total
        // from the list start, so the list ends scrollMargin further down.
        this._getLayoutTotalSize() + this.options.scrollMargin
      ],
      (t3, e3, s4, i4, n3) => {
        if (t3.length === 0 || e3 === 0)
          return this.range = null, null;
        let l3 = Math.max(n3 - e3, 0);
        return this.range = dt2(
          t3,
          e3,
          Math.min(s4, l3),
          i4,
          // Pass the typed array so binary search + forward-walk can read
          // start/end directly from Float64Array, skipping the Proxy traps.
          i4 === 1 && this._singleLaneMeasurements !== null ? this._singleLaneMeasurements.flat : null
        ), this.range;
      },
      {
        key: "calculateRange",
        debug: () => this.options.debug
      }
    ), this.getVirtualIndexes = b2(
      () => {
        let t3 = null, e3 = null, s4 = this.calculateRange();
        return s4 && (t3 = s4.startIndex, e3 = s4.endIndex), this.maybeNotify.updateDeps([this.isScrolling, t3, e3]), [
          this.options.rangeExtractor,
          this.options.overscan,
          this.options.count,
          t3,
          e3,
          this.options.lanes
        ];
      },
      (t3, e3, s4, i4, n3, l3) => i4 === null || n3 === null ? [] : t3({
        startIndex: i4,
        endIndex: n3,
        overscan: e3,
        count: s4,
        lanes: l3
      }),
      {
        key: "getVirtualIndexes",
        debug: () => this.options.debug
      }
    ), this.indexFromElement = (t3) => {
      let e3 = this.options.indexAttribute, s4 = t3.getAttribute(e3);
      return s4 ? parseInt(s4, 10) : (console.warn(
        `Missing attribute name '${e3}={index}' on measured element.`
      ), -1);
    }, this.shouldMeasureDuringScroll = (t3) => {
      var e3;
      if (!R(this.scrollState))
        return !0;
      let s4 = this.scrollState.index ?? ((e3 = this.getVirtualItemForOffset(this.scrollState.lastTargetOffset)) == null ? void 0 : e3.index);
      if (s4 !== void 0 && this.range) {
        let i4 = Math.max(
          this.options.overscan,
          Math.ceil((this.range.endIndex - this.range.startIndex) / 2)
        ), n3 = Math.max(0, s4 - i4), l3 = Math.min(
          this.options.count - 1,
          s4 + i4
        );
        return t3 >= n3 && t3 <= l3;
      }
      return !0;
    }, this.measureElement = (t3) => {
      if (!t3) {
        this.elementsCache.forEach((n3, l3) => {
          n3.isConnected || (this.observer.unobserve(n3), this.elementsCache.delete(l3));
        });
        return;
      }
      let e3 = this.indexFromElement(t3);
      if (!this.isIndexInRange(e3)) return;
      let s4 = this.options.getItemKey(e3), i4 = this.elementsCache.get(s4);
      i4 !== t3 && (i4 && this.observer.unobserve(i4), this.observer.observe(t3), this.elementsCache.set(s4, t3)), t3.isConnected && (!this.isScrolling || this.scrollState) && this.shouldMeasureDuringScroll(e3) && this.resizeItem(e3, this.options.measureElement(t3, void 0, this));
    }, this.resizeItem = (t3, e3) => {
      var s4, i4, n3;
      if (!this.isIndexInRange(t3)) return;
      (s4 = this._resizeBatch) != null && s4.sync && this.getMeasurements();
      let l3, o4, a4, c4 = (i4 = this._singleLaneMeasurements) == null ? void 0 : i4.flat;
      if (this.options.lanes === 1 && c4 != null)
        a4 = this.options.getItemKey(t3), o4 = c4[t3 * 2], l3 = c4[t3 * 2 + 1];
      else {
        let d4 = this.measurementsCache[t3];
        if (!d4) return;
        a4 = d4.key, o4 = d4.start, l3 = d4.size;
      }
      let u3 = this.itemSizeCache.get(a4) ?? l3, g4 = e3 - u3;
      if (g4 !== 0) {
        let d4 = this.options.anchorTo === "end" && !R(this.scrollState) && this.getVirtualDistanceFromEnd() <= this.options.scrollEndThreshold, S2 = d4 ? this._getLayoutTotalSize() : 0, p3 = this.getScrollOffset(), _4 = this.itemSizeCache.has(a4) ? (
          // Re-measurement: only compensate an item that is ENTIRELY above the
          // fold. An item that merely *spans* the fold (top above, bottom
          // below — e.g. a streaming chat message growing at its bottom)
          // changes size *below* the anchor point, so shifting scrollTop by the
          // delta would drag the viewport downward on every growth (#1218).
          // Also skip during backward scroll to avoid the "items jump while
          // scrolling up" cascade.
          o4 + u3 <= p3 && this.scrollDirection !== "backward"
        ) : (
          // First measurement: compensate any item whose top sits above the
          // fold — the estimate→actual delta must be corrected regardless of
          // scroll direction, since the whole estimated block was above it.
          o4 < p3
        ), m3 = !R(this.scrollState) && (this.shouldAdjustScrollPositionOnItemSizeChange !== void 0 ? this.shouldAdjustScrollPositionOnItemSizeChange(
          // The callback expects a VirtualItem; build one lazily only
          // when the consumer actually supplied a custom predicate.
          this.measurementsCache[t3] ?? {
            index: t3,
            key: a4,
            start: o4,
            size: l3,
            end: o4 + l3,
            lane: 0
          },
          g4,
          this
        ) : _4);
        (this.pendingMin === null || t3 < this.pendingMin) && (this.pendingMin = t3), this.itemSizeCache.set(a4, e3), this.itemSizeCacheVersion++;
        let f6 = !1;
        if (this._awaitingCommandReadBack() || (d4 ? f6 = this.applyScrollAdjustment(
          this._getLayoutTotalSize() - S2
        ) : m3 && (f6 = this.applyScrollAdjustment(g4))), this._resizeBatch) {
          this._resizeBatch.notify = !0, (n3 = this._resizeBatch).sync || (n3.sync = f6);
          return;
        }
        this.notify(f6), this._noteClampMax(), this._flushHoldIfReady(!0), this._retryClampedAdjustment();
      }
    }, this.getVirtualItems = b2(
      () => [this.getVirtualIndexes(), this.getMeasurements(), this._holdOffset],
      (t3, e3, s4) => {
        let i4 = [];
        for (let n3 = 0, l3 = t3.length; n3 < l3; n3++) {
          let o4 = t3[n3], a4 = e3[o4];
          i4.push(
            s4 === 0 ? a4 : {
              ...a4,
              start: a4.start - s4,
              end: a4.end - s4
            }
          );
        }
        return i4;
      },
      {
        key: "getVirtualItems",
        debug: () => this.options.debug
      }
    ), this.getVirtualItemForOffset = (t3) => {
      var e3;
      let s4 = this.getMeasurements();
      if (s4.length === 0)
        return;
      let i4 = (e3 = this._singleLaneMeasurements) == null ? void 0 : e3.flat, n3 = this.options.lanes === 1 && i4 != null, l3 = X2(
        0,
        s4.length - 1,
        n3 ? (o4) => i4[o4 * 2] : (o4) => w3(s4[o4]).start,
        t3
      );
      return w3(s4[l3]);
    }, this._noteClampMax = () => {
      if (!this._awaitingCommandReadBack()) return;
      let t3 = this._elementMaxScrollOffset();
      if (t3 === null) return;
      let e3 = this.pendingWrite, s4 = Math.max(t3, 0) + this._holdOffset;
      if (s4 >= e3.target) return;
      let i4 = e3.lowMaxes ?? (e3.lowMaxes = []);
      i4[i4.length - 1] !== s4 && i4.push(s4);
    }, this.getMaxScrollOffset = () => (this._elementMaxScrollOffset() ?? 0) + this._holdOffset, this._toLayoutOffset = (t3) => {
      var e3;
      let s4 = t3 + this._holdOffset;
      return ((e3 = this.pendingScrollAnchor) == null ? void 0 : e3.kind) === "anchor" && (s4 += this.pendingScrollAnchor.delta), s4;
    }, this._elementMaxScrollOffset = () => {
      let t3 = this.scrollElement;
      if (t3 === null) return null;
      if ("scrollHeight" in t3)
        return this.options.horizontal ? t3.scrollWidth - t3.clientWidth : t3.scrollHeight - t3.clientHeight;
      if ("document" in t3) {
        let e3 = t3.document.documentElement;
        return this.options.horizontal ? e3.scrollWidth - t3.innerWidth : e3.scrollHeight - t3.innerHeight;
      }
      return null;
    }, this._momentumStop = null, this._stopMomentum = (t3) => {
      let e3 = this.scrollElement, s4 = this.targetWindow;
      if (e3 === null || s4 === null) return;
      let i4 = "document" in e3 ? e3.document.scrollingElement : e3;
      if (!i4?.style) return;
      if (this._momentumStop) {
        this._momentumStop.done = t3;
        return;
      }
      let { style: n3 } = i4, l3 = this.options.horizontal ? "overflow-x" : "overflow-y", o4 = n3.getPropertyValue(l3), a4 = n3.getPropertyPriority(l3), c4 = () => this.options.horizontal ? i4.clientHeight : i4.clientWidth, u3 = c4();
      if (n3.setProperty(l3, "hidden", "important"), c4() !== u3) {
        n3.setProperty(l3, o4, a4);
        return;
      }
      let g4 = {
        // False when the app replaced the hidden value: the fling may not
        // have stopped.
        restore: () => n3.getPropertyValue(l3) !== "hidden" || n3.getPropertyPriority(l3) !== "important" ? !1 : (n3.setProperty(l3, o4, a4), !0),
        done: t3
      };
      this._momentumStop = g4, s4.requestAnimationFrame(
        () => s4.requestAnimationFrame(() => {
          this._momentumStop === g4 && (this._momentumStop = null, g4.restore() && g4.done());
        })
      );
    }, this._clampedBy = (t3) => {
      let e3 = this._elementMaxScrollOffset();
      if (e3 === null) return null;
      let s4 = e3 + this._holdOffset;
      return t3 > s4 + 0.5 ? { target: t3, maxAtWrite: s4 } : null;
    }, this.getVirtualDistanceFromEnd = () => Math.max(
      this._getLayoutTotalSize() + this.options.scrollMargin - this.getSize() - this.getScrollOffset(),
      0
    ), this.getDistanceFromEnd = () => Math.max(this.getMaxScrollOffset() - this.getScrollOffset(), 0), this.isAtEnd = (t3 = this.options.scrollEndThreshold) => this.getDistanceFromEnd() <= t3, this.getOffsetForAlignment = (t3, e3, s4 = 0) => {
      if (!this.scrollElement) return 0;
      let i4 = this.getSize(), n3 = this.getScrollOffset();
      e3 === "auto" && (e3 = t3 >= n3 + i4 ? "end" : "start"), e3 === "center" ? t3 += (s4 - i4) / 2 : e3 === "end" && (t3 -= i4);
      let l3 = this.getMaxScrollOffset();
      return Math.max(Math.min(l3, t3), 0);
    }, this.getOffsetForIndex = (t3, e3 = "auto") => {
      t3 = Math.max(0, Math.min(t3, this.options.count - 1));
      let s4 = this.getSize(), i4 = this.getScrollOffset(), n3 = this.getMeasurements()[t3];
      if (!n3) return;
      if (e3 === "auto")
        if (n3.end >= i4 + s4 - this.options.scrollPaddingEnd)
          e3 = "end";
        else if (n3.start <= i4 + this.options.scrollPaddingStart)
          e3 = "start";
        else
          return [i4, e3];
      if (e3 === "end" && t3 === this.options.count - 1) {
        let o4 = this.getMaxScrollOffset(), a4 = o4 - this.options.paddingEnd + this.options.scrollPaddingEnd;
        return [Math.max(Math.min(a4, o4), 0), e3];
      }
      let l3 = e3 === "end" ? n3.end + this.options.scrollPaddingEnd : n3.start - this.options.scrollPaddingStart;
      return [
        this.getOffsetForAlignment(l3, e3, n3.size),
        e3
      ];
    }, this.scrollToOffset = (t3, { align: e3 = "start", behavior: s4 = "auto" } = {}) => {
      this._startScroll(
        { index: null, align: e3 },
        this.getOffsetForAlignment(t3, e3),
        s4,
        "absolute"
      );
    }, this.scrollToIndex = (t3, {
      align: e3 = "auto",
      behavior: s4 = "auto"
    } = {}) => {
      t3 = Math.max(0, Math.min(t3, this.options.count - 1));
      let i4 = this.getOffsetForIndex(t3, e3);
      if (!i4) return;
      let [n3, l3] = i4;
      this._startScroll({ index: t3, align: l3 }, n3, s4, "absolute");
    }, this.scrollBy = (t3, { behavior: e3 = "auto" } = {}) => {
      let s4 = this.getOffsetForAlignment(
        (this.getCommandWrittenOffset() ?? this.getScrollOffset()) + t3,
        "start"
      );
      this._startScroll(
        { index: null, align: "start" },
        s4,
        e3,
        "relative"
      );
    }, this.scrollToEnd = ({ behavior: t3 = "auto" } = {}) => {
      if (this.options.count > 0) {
        this._startScroll(
          { index: this.options.count - 1, align: "end", toEnd: !0 },
          Math.max(this.getMaxScrollOffset(), 0),
          t3,
          "absolute"
        );
        return;
      }
      this.scrollToOffset(Math.max(this.getTotalSize() - this.getSize(), 0), {
        behavior: t3
      });
    }, this.cancelScroll = () => {
      this.rafId != null && this.targetWindow && (this.targetWindow.cancelAnimationFrame(this.rafId), this.rafId = null), this.scrollState = null;
    }, this.getTotalSize = () => Math.max(this._getLayoutTotalSize() - this._holdOffset, 0), this._getLayoutTotalSize = () => {
      var t3, e3;
      let s4 = this.getMeasurements(), i4;
      if (s4.length === 0)
        i4 = this.options.paddingStart;
      else if (this.options.lanes === 1) {
        let n3 = s4.length - 1, l3 = (t3 = this._singleLaneMeasurements) == null ? void 0 : t3.flat;
        l3 != null ? i4 = l3[n3 * 2] + l3[n3 * 2 + 1] : i4 = ((e3 = s4[n3]) == null ? void 0 : e3.end) ?? 0;
      } else {
        let n3 = Array(this.options.lanes).fill(null), l3 = s4.length - 1;
        for (; l3 >= 0 && n3.some((o4) => o4 === null); ) {
          let o4 = s4[l3];
          n3[o4.lane] === null && (n3[o4.lane] = o4.end), l3--;
        }
        i4 = Math.max(...n3.filter((o4) => o4 !== null));
      }
      return Math.max(
        i4 - this.options.scrollMargin + this.options.paddingEnd,
        0
      );
    }, this.takeSnapshot = () => {
      let t3 = [];
      if (this.itemSizeCache.size === 0) return t3;
      let e3 = this.getMeasurements();
      for (let s4 of e3)
        s4 && this.itemSizeCache.has(s4.key) && t3.push({
          index: s4.index,
          key: s4.key,
          start: s4.start,
          size: s4.size,
          end: s4.end,
          lane: s4.lane
        });
      return t3;
    }, this._scrollToOffset = (t3, {
      adjustments: e3,
      behavior: s4
    } = {}) => {
      let i4 = {
        target: t3 + (e3 ?? 0),
        smooth: s4 === "smooth"
      };
      return this.pendingWrite = i4, this.options.scrollToFn(
        t3 - this._holdOffset,
        { behavior: s4, adjustments: e3 },
        this
      ), i4;
    }, this.getCommandWrittenOffset = () => this.scrollState !== null && this.pendingWrite !== null && !this.pendingWrite.smooth ? this.pendingWrite.target : null, this._awaitingCommandReadBack = () => {
      let t3 = this.getCommandWrittenOffset();
      return !(r3() && this._iosGesture.dragging()) && t3 !== null && !E3(t3, this.getScrollOffset());
    }, this._followOffsetTarget = (t3) => {
      this.scrollState !== null && this.scrollState.index == null && (this.scrollState.lastTargetOffset += t3);
    }, this.measure = () => {
      this.pendingMin = null, this.itemSizeCache.clear(), this.laneAssignments.clear(), this.itemSizeCacheVersion++, this.notify(!1);
    }, this.setOptions(r4);
  }
  /*!
   * @deprecated Always 0: a scroll correction is folded into `scrollOffset`
   * at once, so there is never an outstanding adjustment to add to it. Read
   * `scrollOffset` alone.
   */
  get scrollAdjustments() {
    return 0;
  }
  // Returns `true` when it performed a synchronous `scrollTop` write this
  // tick, `false` when the delta was zero or the write was deferred (iOS).
  // `resizeItem` uses that to decide whether the follow-up `notify` must be
  // synchronous so the grown transforms commit in the same paint (#1227).
  applyScrollAdjustment(r4, t3) {
    if (r4 === 0) return !1;
    if (this.options.debug && console.info("correction", r4), this._followOffsetTarget(r4), this._canWriteScroll()) {
      let e3 = this.getScrollOffset();
      this._clampedAdjustment = this._clampedBy(e3 + r4);
      let s4 = this._scrollToOffset(e3, {
        adjustments: r4,
        behavior: t3
      });
      return this.scrollOffset !== null && (this.pendingWrite === s4 && (this.scrollOffset += r4), this.scrollOffset < 0 && (this.scrollOffset = 0)), !0;
    } else
      return this._holdOffset += r4, this.scrollOffset !== null && (this.scrollOffset += r4), !0;
  }
  scheduleScrollReconcile() {
    if (!this.targetWindow) {
      this.scrollState = null;
      return;
    }
    this.rafId == null && (this.rafId = this.targetWindow.requestAnimationFrame(() => {
      this.rafId = null, this.reconcileScroll();
    }));
  }
  getScrollStateTarget(r4) {
    let t3 = r4.toEnd ? [Math.max(this.getMaxScrollOffset(), 0)] : r4.index != null ? this.getOffsetForIndex(r4.index, r4.align) : void 0;
    return t3 ? t3[0] : r4.lastTargetOffset;
  }
  reconcileScroll() {
    if (!this.scrollState || !this.scrollElement) return;
    if (this.now() - this.scrollState.startedAt > 5e3) {
      this.scrollState = null;
      return;
    }
    if (this.scrollState.phase === "queued") {
      this.scheduleScrollReconcile();
      return;
    }
    this.getMeasurements();
    let e3 = this.getScrollStateTarget(this.scrollState), s4 = this.scrollState.index == null ? 1 : this.options.useAnimationFrameWithResizeObserver ? 3 : 2, i4 = e3 !== this.scrollState.lastTargetOffset;
    if (!i4 && E3(e3, this.getScrollOffset())) {
      if (this.scrollState.phase === "smooth" ? this.scrollState.phase = "smoothLanded" : this.scrollState.phase === "smoothFinishing" && (this.scrollState.phase = "instant"), this.scrollState.stableFrames++, this.scrollState.stableFrames >= s4) {
        this.getScrollOffset() !== e3 && this._scrollToOffset(e3, { behavior: "auto" }), this.scrollState = null;
        return;
      }
    } else if (this.scrollState.stableFrames = 0, i4) {
      let n3 = this.getSize() || 600, l3 = Math.abs(e3 - this.getScrollOffset()), o4 = R(this.scrollState) && l3 > n3;
      this.scrollState.lastTargetOffset = e3, o4 ? this.scrollState.phase = "smooth" : this.scrollState.phase === "smooth" ? this.scrollState.phase = "smoothFinishing" : this.scrollState.phase === "smoothLanded" && (this.scrollState.phase = "instant"), this._scrollToOffset(e3, {
        behavior: o4 ? "smooth" : "auto"
      });
    }
    this.scheduleScrollReconcile();
  }
  // Every scroll command starts here: it becomes the in-flight command,
  // writes its first target and leaves reconcile to retarget and retire it.
  //
  // Targets are layout offsets. A held correction is not dropped by a
  // command: the write lands the element `_holdOffset` short of the target,
  // under the rows exposed shifted by the same amount, and the flush moves
  // both together once a write is possible.
  //
  // An index or end target that is already at its offset starts a smooth
  // scroll as landed; an offset target never does, so its first scroll
  // event is read as the user's (see the scroll handler in `_willUpdate`).
  _startScroll(r4, t3, e3, s4) {
    this.pendingScrollAnchor = null, this._clampedAdjustment = null;
    let i4 = this._iosGesture.tail();
    if (s4 === "absolute" && i4 !== null) {
      if (i4 === "fling" && _3()) {
        this._stopMomentum(() => {
          this.scrollState?.phase !== "queued" || // A finger came down: it owns the scroll until it lifts.
          this._iosGesture.tail() !== "fling" || // In a bounce WebKit can drop the write (#1287): the tail
          // decides, as without the stop. (Not `flingCaught`: our stop
          // also ends the fling at speed, so a slow frame would read as
          // a catch and the tail would drop the command.)
          this._reportedOverscroll || (this._iosGesture.end(), this._flushHoldIfReady(!0), this._writeAwaitingCommand());
        }), this.scrollState = {
          ...r4,
          startedAt: this.now(),
          lastTargetOffset: t3,
          stableFrames: 0,
          phase: "queued",
          behavior: e3,
          samples: []
        }, this.scheduleScrollReconcile();
        return;
      }
      this._iosGesture.end();
    }
    this.scrollState = {
      ...r4,
      startedAt: this.now(),
      lastTargetOffset: t3,
      stableFrames: 0,
      behavior: e3,
      phase: G3(
        e3,
        r4.index != null && E3(t3, this.getScrollOffset())
      )
    }, this._scrollToOffset(t3, { behavior: e3 }), this.scheduleScrollReconcile();
  }
}, X2 = (h4, r4, t3, e3) => {
  for (; h4 <= r4; ) {
    let s4 = (h4 + r4) / 2 | 0, i4 = t3(s4);
    if (i4 < e3)
      h4 = s4 + 1;
    else if (i4 > e3)
      r4 = s4 - 1;
    else
      return s4;
  }
  return h4 > 0 ? h4 - 1 : 0;
};
function ft2(h4, r4, t3) {
  let e3 = 0;
  for (; e3 <= r4; ) {
    let s4 = (e3 + r4) / 2 | 0, i4 = h4[s4 * 2];
    if (i4 < t3)
      e3 = s4 + 1;
    else if (i4 > t3)
      r4 = s4 - 1;
    else
      return s4;
  }
  return e3 > 0 ? e3 - 1 : 0;
}
function dt2(h4, r4, t3, e3, s4) {
  let i4 = h4.length - 1;
  if (h4.length <= e3)
    return { startIndex: 0, endIndex: i4 };
  if (e3 === 1 && s4 !== null) {
    let a4 = ft2(
      s4,
      i4,
      t3
    ), c4 = a4, u3 = t3 + r4;
    for (; c4 < i4 && s4[c4 * 2] + s4[c4 * 2 + 1] < u3; )
      c4++;
    return { startIndex: a4, endIndex: c4 };
  }
  let l3 = X2(0, i4, (a4) => h4[a4].start, t3), o4 = l3;
  if (e3 === 1)
    for (; o4 < i4 && h4[o4].end < t3 + r4; )
      o4++;
  else if (e3 > 1) {
    let a4 = Array(e3).fill(0);
    for (; o4 < i4 && a4.some((u3) => u3 < t3 + r4); ) {
      let u3 = h4[o4];
      a4[u3.lane] = u3.end, o4++;
    }
    let c4 = Array(e3).fill(t3 + r4);
    for (; l3 >= 0 && c4.some((u3) => u3 >= t3); ) {
      let u3 = h4[l3];
      c4[u3.lane] = u3.start, l3--;
    }
    l3 = Math.max(0, l3 - l3 % e3), o4 = Math.min(i4, o4 + (e3 - 1 - o4 % e3));
  }
  return { startIndex: l3, endIndex: o4 };
}

// src/views/virtual.ts
function useVirtualRows(scroller, count2, heightPx, headPx = 0) {
  let [, redraw] = _2((n3) => n3 + 1, 0), options2 = {
    count: count2,
    overscan: 8,
    scrollPaddingStart: headPx,
    getScrollElement: () => scroller.current,
    estimateSize: () => heightPx,
    observeElementRect: it,
    observeElementOffset: ot,
    scrollToFn: ht,
    onChange: () => redraw(0)
  }, [rows2] = d2(() => new ut2(options2));
  return rows2.setOptions(options2), F2(() => rows2._didMount(), []), F2(() => rows2._willUpdate()), rows2;
}

// src/views/table.tsx
var ROW_PX = 24;
function wanted2({ columns }, show) {
  return show.length ? show.flatMap((name) => columns.filter((c4) => c4.name === name)) : columns;
}
function isEmpty(cells = []) {
  return cells.length > 0 && cells.every((cell) => cell === null || cell === "");
}
function useShown({ spec, data, show = [], state: { filter, sort } }) {
  let asked = w2(() => wanted2(spec, show), [spec, show.join()]), columns = w2(() => asked.filter((c4) => !isEmpty(data.columns[c4.name])), [asked, data]), widths2 = w2(() => measure(columns, data), [columns, data]), key = [data, spec, filter, sort?.column, sort?.down], rows2 = w2(() => pickRows(data, spec.columns, filter, sort), key);
  return { columns, widths: widths2, rows: rows2, empty: asked.filter((c4) => !columns.includes(c4)) };
}
var COPY_HELP = "Copy rows as TSV, with exact values: the chosen ones, or all";
function copyLabel(chosen) {
  return chosen > 1 ? `Copy ${chosen} rows` : "Copy";
}
function Links({ csv, json }) {
  return /* @__PURE__ */ a3($, { children: [
    /* @__PURE__ */ a3("a", { href: csv, download: !0, title: "Download this table", children: "CSV" }),
    /* @__PURE__ */ a3("a", { href: json, target: "_blank", title: "The whole answer", children: "JSON" })
  ] });
}
function Gap({ px }) {
  return px > 0 ? /* @__PURE__ */ a3("tr", { "aria-hidden": "true", style: { height: `${px}px` } }) : null;
}
function DataTable(props) {
  let { title, spec, data, csv, json, state, setState, find, more } = props, { columns, widths: widths2, rows: rows2, empty } = useShown(props), scroller = T2(null), virtual = useVirtualRows(scroller, rows2.length, ROW_PX, ROW_PX), chosen = useChosen(rows2, (index) => virtual.scrollToIndex(index)), items = virtual.getVirtualItems(), tsv = () => toTsv(data, columns, chosen.rows.length ? chosen.rows : rows2), open = (row) => {
    let name = row === void 0 ? null : data.columns.name?.[row];
    typeof name == "string" && find?.(name);
  }, onKeyDown = (event) => {
    if (event.target !== scroller.current || chosen.onKey(event)) return;
    event.key === "c" && (event.ctrlKey || event.metaKey) && chosen.rows.length && !String(getSelection()) ? copyText(tsv()) : event.key === "Enter" && open(chosen.at);
  };
  return /* @__PURE__ */ a3("div", { class: "data-table", children: [
    /* @__PURE__ */ a3(TableBar, { title, spec, empty, state, setState, shown: rows2.length, total: rowCount(data), children: [
      more,
      find && chosen.rows.length === 1 && /* @__PURE__ */ a3("button", { type: "button", onClick: () => open(chosen.at), children: "Find in trace ▸" }),
      /* @__PURE__ */ a3(CopyButton, { text: tsv, label: copyLabel(chosen.rows.length), title: COPY_HELP }),
      /* @__PURE__ */ a3(Links, { csv, json })
    ] }),
    /* @__PURE__ */ a3("div", { class: "table-scroll", ref: scroller, tabIndex: 0, role: "region", "aria-label": title, onKeyDown, children: /* @__PURE__ */ a3("table", { style: { minWidth: `${leastWidth(widths2)}px` }, "aria-rowcount": rows2.length + 1, children: [
      /* @__PURE__ */ a3("caption", { class: "offscreen", children: spec.help }),
      /* @__PURE__ */ a3(ColumnWidths, { widths: widths2 }),
      /* @__PURE__ */ a3(Head, { columns, sort: state.sort, setSort: (sort) => setState({ ...state, sort }) }),
      /* @__PURE__ */ a3("tbody", { children: [
        /* @__PURE__ */ a3(Gap, { px: items[0]?.start ?? 0 }),
        items.map(({ index }) => /* @__PURE__ */ a3(
          "tr",
          {
            "aria-rowindex": index + 2,
            "aria-selected": chosen.rows.includes(rows2[index]),
            onClick: (event) => chosen.onClick(event, index),
            onDblClick: () => open(rows2[index]),
            children: /* @__PURE__ */ a3(Cells, { columns, data, row: rows2[index] })
          },
          index
        )),
        /* @__PURE__ */ a3(Gap, { px: virtual.getTotalSize() - (items[items.length - 1]?.end ?? 0) })
      ] })
    ] }) })
  ] });
}

// src/views/lines.tsx
var KEYS = [
  ["← → Home End", "in a chart: the value before, after, first, last (Page keys: further)"],
  ["Enter", "in a chart over time: show that stretch in the trace"]
], HEIGHT_PX = 100, AXIS = { size: 48, gap: 4, font: "11px system-ui, sans-serif" }, FILL = "30";
function rangeOf(unit) {
  return (_plot, _low, high) => unit === "share" ? [0, Math.max(1, high ?? 1)] : [0, (high || 1) * 1.05];
}
function axisOf(unit, place) {
  return {
    ...AXIS,
    scale: unit || "value",
    side: place === 0 ? 3 : 1,
    space: 28,
    stroke: () => colour("--soft"),
    grid: { show: place === 0, stroke: () => colour("--sunken"), width: 1 },
    ticks: { show: !1 },
    values: (_plot, ticks) => ticks.map((tick) => tickText(tick, unit))
  };
}
function seriesOf({ column }, level2) {
  let stroke = () => colour(categoryOf(column.name));
  return {
    scale: column.unit || "value",
    stroke,
    fill: column.unit === "share" ? () => stroke() + FILL : void 0,
    width: 1.5,
    points: { show: !1 },
    paths: level2 ? He.paths.stepped({ align: 1 }) : void 0
  };
}
function optionsOf(chart, width, hover) {
  let { x: x2, units, lines, ends } = chart;
  return {
    width,
    height: HEIGHT_PX,
    padding: [8, units.length > 1 ? 0 : 24, 0, 0],
    legend: { show: !1 },
    scales: {
      x: { time: !1 },
      ...Object.fromEntries(units.map((unit) => [unit || "value", { range: rangeOf(unit) }]))
    },
    axes: [
      {
        ...AXIS,
        size: 20,
        stroke: () => colour("--soft"),
        grid: { stroke: () => colour("--sunken"), width: 1 },
        ticks: { show: !1 },
        values: (_plot, ticks) => ticks.map((tick) => tickText(tick, x2.unit))
      },
      ...units.map(axisOf)
    ],
    series: [{}, ...lines.map((line) => seriesOf(line, ends !== null))],
    cursor: { y: !1, points: { show: !1 }, drag: { x: !1, y: !1, setScale: !1 } },
    hooks: {
      setCursor: [
        (plot) => {
          let left = plot.cursor.left ?? -1;
          hover(left < 0 ? null : rowAt(chart, plot.posToVal(left, "x")));
        }
      ]
    }
  };
}
function usePlot(chart, hover) {
  let box = T2(null), plot = T2(null);
  return A2(() => {
    let element = box.current;
    if (!chart || !element) return;
    let fit = () => {
      let width = Math.floor(element.clientWidth);
      width <= 0 || (plot.current ? plot.current.setSize({ width, height: HEIGHT_PX }) : plot.current = new He(optionsOf(chart, width, hover), points(chart), element));
    }, sizes = new ResizeObserver(fit);
    sizes.observe(element);
    let end = onTheme(() => plot.current?.redraw(!1, !0));
    return fit(), () => {
      sizes.disconnect(), end(), plot.current?.destroy(), plot.current = null, hover(null);
    };
  }, [chart]), { box, plot };
}
function Legend({ title, help, chart, row, csv, json }) {
  return /* @__PURE__ */ a3("div", { class: "lines-bar", children: [
    /* @__PURE__ */ a3("p", { class: "legend", children: [
      /* @__PURE__ */ a3("b", { title: help, children: row === null ? title : placeOf(chart, row) }),
      chart.lines.map((line) => /* @__PURE__ */ a3("span", { title: row === null ? line.column.help : exactLineValue(line, row), children: [
        /* @__PURE__ */ a3("i", { style: { background: `var(${categoryOf(line.column.name)})` } }),
        lineName(line),
        /* @__PURE__ */ a3("output", { children: row === null ? `⌀ ${formatNumber(extent(line, chart).mean, line.column.unit)}` : lineValue(line, row) })
      ] }, line.column.name))
    ] }),
    /* @__PURE__ */ a3(Links, { csv, json })
  ] });
}
function Lines({ title, view, spec, data, csv, json, open }) {
  let chart = w2(() => chartOf(view, spec, data), [view, spec, data]), words = w2(() => chart && inWords(chart), [chart]), [row, setRow] = d2(null), { box, plot } = usePlot(chart, setRow);
  if (!chart) return /* @__PURE__ */ a3("p", { class: "soft", children: "Nothing to draw: no row, or every value is unknown." });
  let go2 = () => {
    let interval = row === null ? null : intervalOf(chart, row);
    interval && open?.(...interval);
  }, onKeyDown = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    let next2 = moved(event.key, row, chart.starts.length);
    if (next2 !== null)
      plot.current?.setCursor({ left: plot.current.valToPos(middle(chart, next2), "x"), top: 0 }), setRow(next2);
    else if (event.key === "Enter") go2();
    else return;
    event.preventDefault();
  }, said = row === null ? null : chart.lines.map((line) => `${lineName(line)} ${lineValue(line, row)}`);
  return /* @__PURE__ */ a3("div", { class: "lines", children: [
    /* @__PURE__ */ a3(Legend, { title, help: spec.help, chart, row, csv, json }),
    /* @__PURE__ */ a3(
      "div",
      {
        ref: box,
        class: open && chart.ends ? "plot opens" : "plot",
        tabIndex: 0,
        role: "slider",
        "aria-label": title,
        "aria-description": words ?? "",
        "aria-valuemin": 0,
        "aria-valuemax": chart.starts.length - 1,
        "aria-valuenow": row ?? 0,
        "aria-valuetext": said && row !== null ? `${placeOf(chart, row)}: ${said.join(", ")}` : words ?? "",
        title: open && chart.ends ? "Press to see this stretch in the trace" : void 0,
        onClick: go2,
        onKeyDown
      }
    )
  ] });
}

// src/views/links.ts
function inTrace({ host: host2, start_ps, end_ps }) {
  let { tool, params } = stretchInTrace(start_ps, end_ps);
  return { tool, params: { ...params, clock: host2 } };
}
function stretchInTrace(start_ps, end_ps) {
  let margin = Math.ceil((end_ps - start_ps) * 0.1);
  return { tool: "trace_viewer", params: { ...{ start_ps: String(Math.max(0, start_ps - margin)), end_ps: String(end_ps + margin) }, range: `${start_ps}-${end_ps}` } };
}
function toProof({ tool, search: search2 }, where) {
  return tool !== "trace_viewer" ? { tool } : where ? inTrace(where) : search2 ? searchInTrace(search2) : { tool };
}
function searchInTrace(name) {
  return { tool: "trace_viewer", params: { search: name } };
}

// src/views/options.tsx
function given({ tool, selection }) {
  let names = new Set(tool.options.map((option) => option.name));
  return Object.fromEntries(Object.entries(selection.params).filter(([name]) => names.has(name)));
}
function Control({ option, value, set }) {
  let change = (event) => set(event.currentTarget.value);
  return option.kind === "flag" ? /* @__PURE__ */ a3(
    "input",
    {
      type: "checkbox",
      checked: value === "true",
      onChange: (event) => set(String(event.currentTarget.checked))
    }
  ) : option.choices.length ? /* @__PURE__ */ a3("select", { value, onChange: change, children: option.choices.map((choice) => /* @__PURE__ */ a3("option", { children: choice }, choice)) }) : option.kind === "text" ? /* @__PURE__ */ a3("input", { type: "text", value, onChange: change }) : /* @__PURE__ */ a3(
    "input",
    {
      type: "number",
      value,
      min: option.low ?? void 0,
      max: option.high ?? void 0,
      step: option.kind === "integer" ? 1 : "any",
      onChange: change
    }
  );
}
function Options({ options: options2, params, set }) {
  if (!options2.length) return null;
  let change = (option, value) => {
    let { [option.name]: _old, ...rest } = params;
    set(value === String(option.default ?? "") ? rest : { ...rest, [option.name]: value });
  };
  return /* @__PURE__ */ a3("div", { class: "options", children: options2.map((option) => /* @__PURE__ */ a3("label", { title: option.help, children: [
    option.name.replaceAll("_", " "),
    " ",
    /* @__PURE__ */ a3(
      Control,
      {
        option,
        value: params[option.name] ?? String(option.default ?? ""),
        set: (value) => change(option, value)
      }
    )
  ] }, option.name)) });
}

// src/views/boundary.tsx
var Boundary = class extends x {
  state = { error: null };
  static getDerivedStateFromError(error) {
    return { error: String(error) };
  }
  componentDidUpdate(previous) {
    this.state.error !== null && previous.children !== this.props.children && this.setState({ error: null });
  }
  render() {
    return this.state.error === null ? this.props.children : /* @__PURE__ */ a3("section", { class: "panel failure", role: "alert", children: [
      /* @__PURE__ */ a3("h2", { children: [
        this.props.what,
        " could not be drawn"
      ] }),
      /* @__PURE__ */ a3("p", { children: this.state.error }),
      /* @__PURE__ */ a3("p", { children: "This is a defect of this page; the rest of it is not affected. The numbers are still there as JSON and CSV." })
    ] });
  }
};

// src/views/panel.tsx
function Panel({ title, bare = !1, help, class: extra = "", children }) {
  return /* @__PURE__ */ a3(Boundary, { what: title, children: /* @__PURE__ */ a3("section", { class: `panel ${extra}`, "aria-label": title, children: [
    title && !bare && /* @__PURE__ */ a3("h2", { title: help, children: title }),
    children
  ] }) });
}

// src/views/stacked.ts
var PS_PER_MS = 1e9;
function numbers2(data, name) {
  return data.columns[name]?.map((cell) => typeof cell == "number" ? cell : null) ?? null;
}
function texts(data, name) {
  return (data.columns[name] ?? []).map((cell) => formatValue(cell, "id"));
}
function cutText(cell) {
  return typeof cell == "number" ? cell ? "cut" : "" : cell === !0 ? "cut" : cell && cell !== "no" ? String(cell) : "";
}
function sumOf(columns, rows2) {
  let sums = new Array(rows2).fill(0);
  for (let values of columns) for (let row = 0; row < rows2; row++) sums[row] += values[row];
  return sums;
}
function stackedOf(view, spec, data) {
  let columns = view.values.flatMap((name) => spec.columns.filter((column) => column.name === name)), seen = columns.map((column) => ({ column, values: (numbers2(data, column.name) ?? []).map((v4) => v4 ?? 0) })).filter(({ values }) => values.some((value) => value > 0));
  if (!seen.length) return null;
  let rows2 = seen[0].values.length, cut = Array.from({ length: rows2 }, (_4, row) => cutText(data.columns.cut?.[row])), whole = cut.flatMap((text2, row) => text2 ? [] : [row]), counting = whole.length ? whole : cut.map((_4, row) => row), mean = (values) => counting.reduce((sum, row) => sum + values[row], 0) / counting.length, title = (column) => titleOf(column.name) ?? label(column), totals = sumOf(
    seen.map(({ values }) => values),
    rows2
  );
  return {
    unit: seen[0].column.unit,
    names: texts(data, data.columns.name ? "name" : view.label),
    labels: texts(data, view.label === "name" && data.columns.step ? "step" : view.label),
    cut,
    parts: seen.map(({ column, values }) => ({
      column,
      title: title(column),
      variable: categoryOf(column.name),
      values,
      mean: mean(values)
    })),
    none: namesOfNone(
      columns.filter((column) => !seen.some((part) => part.column === column)).map((column) => [column.name, title(column)]),
      seen.map(({ column }) => column.name)
    ),
    totals,
    mean: mean(totals),
    counted: counting.length,
    starts: numbers2(data, "start_ms"),
    lengths: numbers2(data, "duration_ms") ?? totals
  };
}
function barsOf({ parts, totals, cut }, from, to2, most) {
  let count2 = Math.max(1, Math.min(to2 - from, Math.floor(most)));
  return Array.from({ length: count2 }, (_4, i4) => {
    let first = from + Math.floor(i4 * (to2 - from) / count2), last = from + Math.floor((i4 + 1) * (to2 - from) / count2) - 1, slowest = first;
    for (let row = first; row <= last; row++) totals[row] > totals[slowest] && (slowest = row);
    let mean = (values) => {
      let sum = 0;
      for (let row = first; row <= last; row++) sum += values[row];
      return sum / (last - first + 1);
    }, heights = parts.map(({ values }) => mean(values));
    return { first, last, parts: heights, total: mean(totals), slowest, cut: first === last && cut[first] !== "" };
  });
}
var OUTLIER = 3, ROOM = 1.08;
function ceilingOf({ totals }, from, to2) {
  let sorted = totals.slice(from, to2).sort((a4, b4) => a4 - b4), most = sorted[sorted.length - 1] ?? 0, usual = sorted[Math.floor((sorted.length - 1) * 0.9)] ?? 0;
  return (sorted.length > 2 && usual > 0 && most > OUTLIER * usual ? 1.5 * usual : most) * ROOM || 1;
}
function roundUp(value) {
  let ten = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((factor) => factor * ten).find((size) => size >= value) ?? value;
}
function ticksOf(top) {
  let step2 = roundUp(top / 5);
  return Array.from({ length: Math.floor(top / step2) + 1 }, (_4, i4) => i4 * step2);
}
function stretchOf({ starts, lengths }, row) {
  let [start, length2] = [starts?.[row], lengths[row]];
  return typeof start != "number" || typeof length2 != "number" ? null : [Math.floor(start * PS_PER_MS), Math.ceil((start + length2) * PS_PER_MS)];
}
function whyCut(cut) {
  return cut === "last" ? "the last, which nothing follows: in no mean" : `cut by the capture (${cut}): in no mean`;
}
function rowInWords({ names, totals, parts, unit, cut }, row) {
  let said = parts.filter(({ values }) => values[row] > 0).map(({ title, values }) => `${title} ${formatNumber(values[row], unit)}`), mark = cut[row] ? `, ${whyCut(cut[row])}` : "";
  return `${names[row]}: ${formatNumber(totals[row], unit)}${mark}. ${said.join(", ")}.`;
}
function stackInWords({ names, totals, parts, mean, unit }, noun) {
  let slowest = totals.reduce((best, total2, row) => total2 > totals[best] ? row : best, 0), shares = parts.filter((part) => part.mean > 0).map((part) => `${part.title} ${formatNumber(part.mean, unit)} (${percent(part.mean / mean)})`);
  return `${counted(names.length, noun)}, ${formatNumber(mean, unit)} on average: ${shares.join(", ")}. The longest: ${names[slowest]}, ${formatNumber(totals[slowest], unit)}.`;
}

// src/views/stack_draw.ts
var LEFT = 56, [TOP, RIGHT, BOTTOM] = [10, 8, 18], LEAST_BAR = 3, MOST_BAR = 200, FONT = "11px system-ui, sans-serif";
function plotOf(stacked, from, to2, width, height) {
  let room = Math.max(LEAST_BAR, width - LEFT - RIGHT), bars = barsOf(stacked, from, to2, room / LEAST_BAR), step2 = Math.min(MOST_BAR, room / bars.length), left = LEFT + Math.max(0, (width - LEFT - RIGHT - step2 * bars.length) / 2);
  return { width, height, from, to: to2, bars, left, step: step2, top: ceilingOf(stacked, from, to2) };
}
function barAt({ bars, left, step: step2 }, x2) {
  let at = Math.floor((x2 - left) / step2);
  return at >= 0 && at < bars.length ? at : null;
}
function barOf({ bars }, row) {
  return bars.findIndex(({ last }) => row <= last);
}
function centre({ left, step: step2 }, bar) {
  return left + (bar + 0.5) * step2;
}
function stripes(ctx, ground) {
  let tile = document.createElement("canvas");
  tile.width = tile.height = 6;
  let pen = tile.getContext("2d");
  pen.strokeStyle = ground, pen.lineWidth = 2.4;
  for (let shift of [-6, 0, 6])
    pen.moveTo(shift, 6), pen.lineTo(shift + 6, 0);
  return pen.stroke(), ctx.createPattern(tile, "repeat");
}
function axis(ctx, plot, unit, y4) {
  ctx.textAlign = "right", ctx.textBaseline = "middle";
  for (let tick of ticksOf(plot.top))
    ctx.fillStyle = colour(tick ? "--sunken" : "--line"), ctx.fillRect(LEFT, Math.round(y4(tick)), plot.width - LEFT - RIGHT, 1), ctx.fillStyle = colour("--soft"), ctx.fillText(tickText(tick, unit), LEFT - 6, y4(tick));
}
function labels(ctx, plot, names) {
  let { from, to: to2, bars, step: step2, width, height } = plot, short = (row) => names[row].length > 16 ? `${names[row].slice(0, 15)}…` : names[row], rowsApart = (Math.max(...[from, to2 - 1].map((row) => ctx.measureText(short(row)).width)) + 16) / step2 * (to2 - from) / bars.length, every = Math.max(1, roundUp(rowsApart));
  ctx.textAlign = "center", ctx.textBaseline = "alphabetic", ctx.fillStyle = colour("--soft");
  let first = from;
  for (; first < from + every && Number(names[first]) % every; ) first++;
  for (let row = first < from + every ? first : from; row < to2; row += every) {
    let half = ctx.measureText(short(row)).width / 2;
    ctx.fillText(short(row), Math.max(half, Math.min(centre(plot, barOf(plot, row)), width - half)), height - 5);
  }
}
function meanLine(ctx, plot, mean, unit, y4) {
  if (mean <= 0 || mean >= plot.top) return;
  let text2 = `⌀ ${formatNumber(mean, unit)}`, [right, at] = [plot.width - RIGHT, Math.round(y4(mean)) + 0.5];
  ctx.strokeStyle = colour("--text"), ctx.setLineDash([4, 3]), ctx.beginPath(), ctx.moveTo(LEFT, at), ctx.lineTo(right, at), ctx.stroke(), ctx.setLineDash([]);
  let { width } = ctx.measureText(text2), above = at > TOP + 12;
  ctx.fillStyle = colour("--panel"), ctx.globalAlpha = 0.85, ctx.fillRect(right - width - 6, above ? at - 15 : at + 1, width + 6, 14), ctx.globalAlpha = 1, ctx.fillStyle = colour("--text"), ctx.textAlign = "right", ctx.textBaseline = "middle", ctx.fillText(text2, right - 3, above ? at - 8 : at + 8);
}
function drawStack(ctx, plot, stacked, mean, at) {
  let { width, height, bars, step: step2, top } = plot, base = height - BOTTOM, y4 = (value) => base - Math.min(value, top) / top * (base - TOP);
  ctx.clearRect(0, 0, width, height), ctx.font = FONT, axis(ctx, plot, stacked.unit, y4);
  let ground = colour("--panel"), fills = stacked.parts.map(({ variable }) => colour(variable)), [hatch, text2, soft] = [stripes(ctx, ground), colour("--text"), colour("--soft")], gap = step2 >= 4 ? Math.min(6, Math.max(1, step2 * 0.12)) : 0;
  bars.forEach((bar, i4) => {
    let [begin, end] = [i4, i4 + 1].map((n3) => plot.left + n3 * step2).map((px) => gap ? px : Math.round(px)), [x2, wide] = [begin + gap / 2, end - begin - gap];
    i4 === at && (ctx.fillStyle = colour("--hover"), ctx.fillRect(x2 - gap / 2, TOP - 4, step2, base - TOP + 4));
    let sum = 0;
    bar.parts.forEach((part, k2) => {
      if (part <= 0) return;
      let [low, high] = [y4(sum), y4(sum += part)];
      ctx.fillStyle = fills[k2], ctx.fillRect(x2, high, wide, low - high);
    }), bar.cut && hatch && (ctx.fillStyle = hatch, ctx.fillRect(x2, y4(sum), wide, base - y4(sum))), ctx.fillStyle = soft, bar.last > bar.first && ctx.fillRect(x2, y4(stacked.totals[bar.slowest]) - 1, wide, 1.5), stacked.totals[bar.slowest] > top && arrow(ctx, x2, wide, ground, text2);
  }), labels(ctx, plot, stacked.labels), meanLine(ctx, plot, mean, stacked.unit, y4);
}
function arrow(ctx, x2, wide, ground, text2) {
  ctx.fillStyle = ground, ctx.fillRect(x2, TOP + 3, wide, 2), ctx.fillStyle = text2, ctx.beginPath(), ctx.moveTo(x2 + wide / 2 - 4, TOP), ctx.lineTo(x2 + wide / 2, TOP - 6), ctx.lineTo(x2 + wide / 2 + 4, TOP), ctx.fill();
}

// src/views/stack.tsx
var KEYS2 = [
  ["← → Home End", "in a chart of bars: the bar before, after, first, last (Page keys: further)"],
  ["Enter", "in a chart of bars: show it in the trace"],
  ["+ −, or drag", "in a chart of bars: fewer of them, or more; Esc: all"]
], HEIGHT_PX2 = 180, SMALL = 0.01, DRAG_PX = 5;
function Legend2({ stacked, quiet }) {
  let { parts, none, unit, mean } = stacked, small = quiet ? parts.filter((part) => part.mean < SMALL * mean) : [];
  return /* @__PURE__ */ a3("p", { class: "legend", children: [
    (small.length > 1 ? parts.filter((part) => !small.includes(part)) : parts).map((part) => /* @__PURE__ */ a3("span", { title: `${part.column.help}
⌀ ${exactValue(part.mean, unit)}`, children: [
      /* @__PURE__ */ a3("i", { style: { background: `var(${part.variable})` } }),
      part.title,
      !quiet && ` ${formatNumber(part.mean, unit)} `,
      !quiet && /* @__PURE__ */ a3("span", { class: "soft", children: percent(mean ? part.mean / mean : 0) })
    ] }, part.column.name)),
    small.length > 1 && /* @__PURE__ */ a3("span", { title: small.map(({ title, mean: part }) => `${title} ${formatNumber(part, unit)}`).join(`
`), children: [
      small.map(({ column, variable }) => /* @__PURE__ */ a3("i", { style: { background: `var(${variable})` } }, column.name)),
      small.length,
      " others"
    ] }),
    none.length > 0 && !quiet && /* @__PURE__ */ a3("span", { class: "soft none", title: none.join(", "), children: [
      "none: ",
      none.join(", ")
    ] })
  ] });
}
function Parts({ stacked, row }) {
  let { parts, totals, unit } = stacked, shown = parts.filter(({ values }) => values[row] > 0).reverse();
  return /* @__PURE__ */ a3("table", { children: /* @__PURE__ */ a3("tbody", { children: shown.map(({ column, title, variable, values }) => /* @__PURE__ */ a3("tr", { children: [
    /* @__PURE__ */ a3("td", { children: [
      /* @__PURE__ */ a3("i", { style: { background: `var(${variable})` } }),
      " ",
      title
    ] }),
    /* @__PURE__ */ a3("td", { class: "number", children: formatNumber(values[row], unit) }),
    /* @__PURE__ */ a3("td", { class: "number soft", children: percent(values[row] / totals[row]) })
  ] }, column.name)) }) });
}
function Tip({ stacked, plot, row, noun }) {
  let bar = plot.bars[barOf(plot, row)];
  if (!bar) return null;
  let x2 = centre(plot, barOf(plot, row)), style = x2 > plot.width / 2 ? { right: `${plot.width - x2 + 12}px` } : { left: `${x2 + 12}px` }, among = bar.last > bar.first ? `of ${counted(bar.last - bar.first + 1, noun)} here, ` : "";
  return /* @__PURE__ */ a3("div", { class: "chart-tip", style, role: "tooltip", children: [
    /* @__PURE__ */ a3("p", { children: [
      /* @__PURE__ */ a3("b", { children: stacked.names[row] }),
      " ",
      formatNumber(stacked.totals[row], stacked.unit)
    ] }),
    among && /* @__PURE__ */ a3("p", { class: "soft", children: [
      row === bar.slowest ? `the longest ${among}` : among,
      formatNumber(bar.total, stacked.unit),
      " on average"
    ] }),
    stacked.cut[row] && /* @__PURE__ */ a3("p", { class: "cut", children: whyCut(stacked.cut[row]) }),
    /* @__PURE__ */ a3(Parts, { stacked, row })
  ] });
}
function useCanvas(stacked, range, row, mean, height) {
  let canvas = T2(null), [width, setWidth] = d2(0), [painted, again] = d2(0), plot = w2(
    () => stacked && width ? plotOf(stacked, range.from, range.to, width, height) : null,
    [stacked, range, width, height]
  );
  return A2(() => {
    let element = canvas.current;
    if (!element) return;
    let sizes = new ResizeObserver(() => setWidth(element.clientWidth));
    sizes.observe(element), setWidth(element.clientWidth);
    let end = onTheme(() => again((n3) => n3 + 1));
    return () => {
      sizes.disconnect(), end();
    };
  }, [stacked]), A2(() => {
    let context = canvas.current?.getContext("2d");
    if (!context || !plot || !stacked) return;
    let ratio = window.devicePixelRatio || 1;
    context.canvas.width = Math.round(width * ratio), context.canvas.height = Math.round(height * ratio), context.setTransform(ratio, 0, 0, ratio, 0, 0), drawStack(context, plot, stacked, stacked.names.length > 1 ? mean : 0, row === null ? null : barOf(plot, row));
  }, [plot, row, mean, painted]), { canvas, plot };
}
function rangeOf2(bars, rows2) {
  let [, from, to2] = (/^(\d{1,9})-(\d{1,9})$/.exec(bars) ?? []).map(Number);
  return from !== void 0 && to2 !== void 0 && from < to2 && to2 <= rows2 ? { from, to: to2 } : null;
}
function zoomed({ from, to: to2 }, row, factor, rows2) {
  let size = Math.max(1, Math.min(rows2, Math.round((to2 - from) / factor))), begin = Math.max(0, Math.min(rows2 - size, Math.round(row - (row - from) / (to2 - from) * size)));
  return { from: begin, to: begin + size };
}
function Stack(props) {
  let { view, spec, data } = props, stacked = w2(() => stackedOf(view, spec, data), [view, spec, data]);
  return stacked ? /* @__PURE__ */ a3(Chart, { ...props, stacked }) : /* @__PURE__ */ a3("p", { class: "soft", children: [
    props.title,
    ": nothing to draw; no row, or every value is zero or unknown."
  ] });
}
function Chart({
  title,
  spec,
  csv,
  json,
  open,
  stacked,
  noun = "row",
  quiet = !1,
  told = !1,
  ...given2
}) {
  let { height = HEIGHT_PX2, mean = stacked.mean } = given2, rows2 = stacked.names.length, all = w2(() => ({ from: 0, to: rows2 }), [stacked]), [row, setRow] = d2(null);
  A2(() => setRow(null), [all]);
  let range = w2(() => rangeOf2(given2.bars, rows2) ?? all, [given2.bars, all]), setZoom = ({ from, to: to2 }) => given2.setBars(to2 - from < rows2 ? `${from}-${to2}` : ""), { canvas, plot } = useCanvas(stacked, range, row, mean ?? stacked.mean, height), words = w2(() => stackInWords(stacked, noun), [stacked, noun]), leads = open !== void 0 && stacked.starts !== null, go2 = () => {
    let stretch2 = row === null ? null : stretchOf(stacked, row);
    stretch2 && open?.(...stretch2);
  }, pointer = usePointer(plot, setRow, go2, setZoom), onKeyDown = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    let next2 = moved(event.key, row, rows2);
    if (next2 !== null) {
      setRow(next2);
      let size = range.to - range.from;
      (next2 < range.from || next2 >= range.to) && setZoom(zoomed({ from: next2 - (size >> 1), to: next2 - (size >> 1) + size }, next2, 1, rows2));
    } else if (event.key === "Enter") go2();
    else if (event.key === "+" || event.key === "-")
      setZoom(zoomed(range, row ?? range.from + range.to >> 1, event.key === "+" ? 2 : 0.5, rows2));
    else if (event.key === "Escape" && range !== all) setZoom(all);
    else return;
    event.preventDefault();
  };
  return /* @__PURE__ */ a3("div", { class: "stacked", children: [
    /* @__PURE__ */ a3("div", { class: "lines-bar", children: [
      /* @__PURE__ */ a3("b", { title: spec.help, children: title }),
      /* @__PURE__ */ a3("span", { class: "grow soft", children: range.to - range.from < rows2 && /* @__PURE__ */ a3("button", { type: "button", class: "link", onClick: () => setZoom(all), children: [
        counted(range.to - range.from, noun),
        " of ",
        rows2,
        ", show all"
      ] }) }),
      /* @__PURE__ */ a3(Links, { csv, json })
    ] }),
    /* @__PURE__ */ a3(
      Legend2,
      {
        stacked: told ? { ...stacked, parts: stacked.parts.filter((part) => !part.mean) } : stacked,
        quiet
      }
    ),
    /* @__PURE__ */ a3(
      "div",
      {
        class: leads ? "bars-plot opens" : "bars-plot",
        tabIndex: 0,
        role: "slider",
        "aria-label": title,
        "aria-description": words,
        "aria-valuemin": 0,
        "aria-valuemax": rows2 - 1,
        "aria-valuenow": row ?? 0,
        "aria-valuetext": row === null ? words : rowInWords(stacked, row),
        onKeyDown,
        onBlur: () => setRow(null),
        ...pointer.on,
        children: [
          /* @__PURE__ */ a3("canvas", { ref: canvas, style: { height: `${height}px` } }),
          pointer.drag && /* @__PURE__ */ a3("b", { class: "drag", style: pointer.drag }),
          plot && row !== null && !pointer.drag && /* @__PURE__ */ a3(Tip, { stacked, plot, row, noun })
        ]
      }
    )
  ] });
}
function usePointer(plot, setRow, press2, setZoom) {
  let [drag, setDrag] = d2(null), rowUnder = (x2) => {
    let bar = plot && barAt(plot, x2);
    return bar === null ? null : plot.bars[bar].slowest;
  }, inside = (x2) => Math.max(plot.left, Math.min(x2, plot.left + plot.step * plot.bars.length - 1)), isDrag = drag !== null && Math.abs(drag.to - drag.from) >= DRAG_PX, on2 = {
    onPointerDown: (event) => {
      event.button !== 0 || !plot || (event.currentTarget.setPointerCapture(event.pointerId), setDrag({ from: event.offsetX, to: event.offsetX }));
    },
    onPointerMove: (event) => {
      setRow(rowUnder(event.offsetX)), drag && setDrag({ ...drag, to: event.offsetX });
    },
    onPointerUp: (event) => {
      if (plot && drag && isDrag) {
        let [a4, b4] = [drag.from, drag.to].map((x2) => plot.bars[barAt(plot, inside(x2))]);
        a4 && b4 && setZoom({ from: Math.min(a4.first, b4.first), to: Math.max(a4.last, b4.last) + 1 });
      } else drag && rowUnder(event.offsetX) !== null && press2();
      setDrag(null);
    },
    onPointerLeave: () => setRow(null),
    onPointerCancel: () => setDrag(null)
  }, box = isDrag && drag ? [drag.from, drag.to].map(inside).sort((a4, b4) => a4 - b4) : null;
  return { on: on2, drag: box && { left: `${box[0]}px`, width: `${box[1] - box[0]}px` } };
}

// src/views/charts.tsx
function viewOf({ answer, page }, kind, table) {
  let view = page.tool.views.find((one) => one.kind === kind && (table ?? one.table) === one.table), spec = page.tool.tables.find(({ name }) => name === view?.table), data = spec && answer.tables[spec.name], isKnown = view?.values.some((name) => data?.columns[name]?.some((cell) => cell !== null));
  return view && spec && data && isKnown && rowCount(data) ? { view, spec, data } : void 0;
}
function common(page, view, spec) {
  return {
    title: view.title || spec.title,
    csv: page.api.url({ ...given(page), format: "csv", table: spec.name }),
    json: page.api.url(given(page)),
    bars: page.selection.params.bars ?? "",
    setBars: (bars) => page.navigate({ params: { ...page.selection.params, bars } }, "replace"),
    open: (...stretch2) => page.navigate(stretchInTrace(...stretch2))
  };
}
function StepChart({ answer, page, mean = null, ...look }) {
  let found = viewOf({ answer, page }, "stack");
  if (!found) return null;
  let shared = common(page, found.view, found.spec);
  return /* @__PURE__ */ a3(Panel, { title: shared.title, bare: !0, children: /* @__PURE__ */ a3(Stack, { ...found, ...shared, ...look, mean: mean ?? void 0 }) });
}
function LineChart(part) {
  let found = viewOf(part, "lines");
  if (!found) return null;
  let shared = common(part.page, found.view, found.spec);
  return /* @__PURE__ */ a3(Panel, { title: shared.title, bare: !0, children: /* @__PURE__ */ a3(Lines, { ...found, ...shared }) });
}

// src/shell/popover.tsx
function Popover(props) {
  let [open, setOpen] = d2(!1), root = T2(null), button = T2(null), close = () => {
    setOpen(!1), button.current?.focus();
  };
  A2(() => {
    if (!open) return;
    let outside = (event) => {
      root.current?.contains(event.target) || setOpen(!1);
    };
    return document.addEventListener("pointerdown", outside), () => document.removeEventListener("pointerdown", outside);
  }, [open]);
  let onKeyDown = (event) => {
    event.key !== "Escape" || !open || (event.stopPropagation(), close());
  }, onFocusOut = (event) => {
    event.relatedTarget && !root.current?.contains(event.relatedTarget) && setOpen(!1);
  };
  return /* @__PURE__ */ a3("div", { class: `popover ${props.class ?? ""}`, ref: root, onKeyDown, onFocusOut, children: [
    /* @__PURE__ */ a3(
      "button",
      {
        id: props.id,
        ref: button,
        type: "button",
        title: props.label,
        "aria-label": props.label,
        "aria-expanded": open,
        onClick: () => setOpen(!open),
        children: props.button
      }
    ),
    open && /* @__PURE__ */ a3("div", { class: "popover-panel", role: "dialog", "aria-label": props.label, children: props.children(close) })
  ] });
}

// src/views/facts.tsx
function reasons(columns, unknown) {
  let found = /* @__PURE__ */ new Map();
  for (let column of columns) {
    let reason = unknown[column.name];
    reason !== void 0 && found.set(reason, [...found.get(reason) ?? [], label(column)]);
  }
  return found;
}
function Facts(props) {
  let { columns, values } = props, known2 = columns.filter((column) => values[column.name] !== null && values[column.name] !== void 0);
  return /* @__PURE__ */ a3("div", { class: "facts", children: [
    /* @__PURE__ */ a3("dl", { children: known2.map((column) => /* @__PURE__ */ a3("div", { title: `${column.help}
${exactValue(values[column.name], column.unit)}`, children: [
      /* @__PURE__ */ a3("dt", { children: label(column) }),
      /* @__PURE__ */ a3("dd", { children: formatCell(values[column.name], column) })
    ] }, column.name)) }),
    /* @__PURE__ */ a3(Unknown, { ...props })
  ] });
}
function Unknown({ columns, unknown }) {
  let found = [...reasons(columns, unknown)];
  if (!found.length) return null;
  let names = found.flatMap(([, labels2]) => labels2);
  return /* @__PURE__ */ a3("details", { class: "soft", children: [
    /* @__PURE__ */ a3("summary", { title: names.join(", "), children: names.length > 3 ? `${names.length} figures are unknown` : `Unknown: ${names.join(", ")}` }),
    /* @__PURE__ */ a3("ul", { children: found.map(([reason, labels2]) => /* @__PURE__ */ a3("li", { children: [
      labels2.join(", "),
      ": ",
      reason,
      "."
    ] }, reason)) })
  ] });
}

// src/views/words.tsx
function Words({ text: text2 }) {
  return text2.split("`").map((part, i4) => i4 % 2 ? /* @__PURE__ */ a3("code", { children: part }, i4) : part);
}

// src/views/figures.tsx
function isSaid({ name, always }, { summary: summary2, unknown }) {
  let value = summary2[name];
  return always ? value != null || unknown[name] !== void 0 : value != null && value !== 0 && value !== "";
}
function One({ figure, answer, columns }) {
  let column = columns.get(figure.name);
  if (!column || !isSaid(figure, answer)) return null;
  let value = answer.summary[figure.name] ?? null, why = value === null ? `Unknown: ${answer.unknown[figure.name]}` : exactValue(value, column.unit);
  return /* @__PURE__ */ a3("span", { title: `${label(column)}: ${column.help}
${why}`, children: figure.words.split(/[{}]/).map((part, i4) => {
    if (i4 % 2 === 0) return part;
    let found = answer.summary[part || figure.name] ?? null, shown = typeof found == "number" && figure.of ? figure.of(found) : found;
    return /* @__PURE__ */ a3("b", { children: formatCell(shown, columns.get(part) ?? column) }, i4);
  }) });
}
function Figures({ answer, page, groups }) {
  let columns = new Map(page.tool.summary.map((column) => [column.name, column])), said = groups.filter(({ figures }) => figures.some((figure) => isSaid(figure, answer)));
  return /* @__PURE__ */ a3("div", { class: "figures", children: said.map(({ title, figures }) => /* @__PURE__ */ a3("p", { children: [
    title && /* @__PURE__ */ a3("span", { class: "soft", children: title }),
    figures.map((figure) => /* @__PURE__ */ a3(One, { figure, answer, columns }, figure.name))
  ] }, title)) });
}
function AllFigures({ answer, columns }) {
  let { summary: summary2, unknown } = answer, known2 = columns.filter(({ name }) => summary2[name] != null && summary2[name] !== "");
  return /* @__PURE__ */ a3(Popover, { label: "All figures, and why some are unknown", button: /* @__PURE__ */ a3($, { children: "all figures ▸" }), class: "right all-figures", children: () => /* @__PURE__ */ a3($, { children: [
    /* @__PURE__ */ a3("dl", { children: known2.map((column) => /* @__PURE__ */ a3("div", { title: `${column.help}
${exactValue(summary2[column.name], column.unit)}`, children: [
      /* @__PURE__ */ a3("dt", { children: label(column) }),
      /* @__PURE__ */ a3("dd", { children: /* @__PURE__ */ a3(Words, { text: formatCell(summary2[column.name], column) }) })
    ] }, column.name)) }),
    [...reasons(columns, unknown)].map(([reason, labels2]) => /* @__PURE__ */ a3("p", { children: [
      /* @__PURE__ */ a3("b", { children: "Unknown" }),
      ", because ",
      /* @__PURE__ */ a3(Words, { text: reason }),
      ": ",
      /* @__PURE__ */ a3("span", { class: "soft", children: [
        labels2.join(", "),
        "."
      ] })
    ] }, reason))
  ] }) });
}

// src/views/places.ts
function ps2(cell) {
  return typeof cell == "number" ? Math.round(cell * 1e9) : NaN;
}
function stepOf({ hosts, tables }, where) {
  let { step: step2 = [], host: host2, start_ms = [], duration_ms = [] } = tables.steps?.columns ?? {}, { start_ps, end_ps } = where, middle3 = (start_ps + end_ps) / 2, row = step2.findIndex((_4, i4) => {
    let [start, length2] = [ps2(start_ms[i4]), ps2(duration_ms[i4])];
    return hosts.length > 1 ? host2?.[i4] === where.host && length2 === end_ps - start_ps : start <= middle3 && middle3 < start + length2;
  });
  return row < 0 ? null : String(step2[row]);
}
function stepsOfAll(answer, places) {
  let named = places.map((where) => stepOf(answer, where)).filter((step2) => step2 !== null);
  return new Set(named).size === places.length ? named : null;
}

// src/views/findings.tsx
var Titles = U({}), MARKS = { warning: "▲", note: "●", info: "○" };
function stretch(answer, where) {
  let { host: host2, start_ps, end_ps } = where, step2 = stepOf(answer, where), [length2, start] = [end_ps - start_ps, start_ps].map((time) => formatNumber(time, "ps"));
  return `${step2 === null ? "" : `step ${step2}: `}${length2} on ${host2}, ${start} after the capture's start`;
}
function Proof({ finding, answer, navigate }) {
  let { tool, evidence } = finding, titles = j2(Titles);
  if (!tool) return null;
  let places = tool === "trace_viewer" ? evidence : [], steps = stepsOfAll(answer, places), go2 = (where) => () => navigate(toProof(finding, where));
  return /* @__PURE__ */ a3("span", { class: "proof", children: [
    /* @__PURE__ */ a3("button", { type: "button", class: "link", title: places[0] && stretch(answer, places[0]), onClick: go2(places[0]), children: [
      finding.search ? "find" : "show",
      " in ",
      titles[tool] ?? tool,
      " ▸"
    ] }),
    places.length > 1 && /* @__PURE__ */ a3("span", { class: "soft", children: steps ? " at steps" : " at places" }),
    places.length > 1 && places.map((where, i4) => /* @__PURE__ */ a3("span", { children: [
      " ",
      /* @__PURE__ */ a3(
        "button",
        {
          type: "button",
          class: "link",
          title: stretch(answer, where),
          "aria-label": steps ? `step ${steps[i4]}` : `place ${i4 + 1}`,
          onClick: go2(where),
          children: steps?.[i4] ?? i4 + 1
        }
      )
    ] }, i4))
  ] });
}
function Findings({ findings, ...rest }) {
  return /* @__PURE__ */ a3("ul", { class: "findings", children: findings.map((finding) => /* @__PURE__ */ a3("li", { class: finding.severity, children: [
    /* @__PURE__ */ a3("span", { class: "mark", role: "img", "aria-label": finding.severity, title: finding.severity, children: MARKS[finding.severity] }),
    /* @__PURE__ */ a3("div", { children: [
      /* @__PURE__ */ a3("strong", { children: /* @__PURE__ */ a3(Words, { text: finding.title }) }),
      finding.share !== null && !finding.title.includes("%") && /* @__PURE__ */ a3("span", { class: "soft number", children: [
        " · ",
        percent(finding.share)
      ] }),
      /* @__PURE__ */ a3("p", { children: [
        /* @__PURE__ */ a3(Words, { text: finding.action }),
        " ",
        /* @__PURE__ */ a3("span", { class: "soft", children: /* @__PURE__ */ a3(Words, { text: finding.detail }) }),
        " ",
        /* @__PURE__ */ a3(Proof, { finding, ...rest })
      ] })
    ] })
  ] }, finding.title)) });
}
function Headline({ finding, ...rest }) {
  let { title, severity, detail, action } = finding;
  return /* @__PURE__ */ a3("div", { class: `headline ${severity}`, children: [
    /* @__PURE__ */ a3("h1", { children: [
      /* @__PURE__ */ a3("span", { class: "mark", role: "img", "aria-label": severity, title: severity, children: MARKS[severity] }),
      " ",
      /* @__PURE__ */ a3(Words, { text: title })
    ] }),
    /* @__PURE__ */ a3("p", { children: [
      /* @__PURE__ */ a3(Words, { text: action }),
      " ",
      /* @__PURE__ */ a3("span", { class: "soft", children: /* @__PURE__ */ a3(Words, { text: detail }) }),
      " ",
      /* @__PURE__ */ a3(Proof, { finding, ...rest })
    ] })
  ] });
}

// src/views/states.tsx
var Reading = U("Reading…");
function reading(run, hosts) {
  let files = run?.hosts.filter((host2) => !hosts.length || hosts.includes(host2.name)) ?? [];
  if (!files.length) return "Reading…";
  let bytes = files.reduce((sum, host2) => sum + host2.size_bytes, 0);
  return `Reading ${files.length === 1 ? files[0].name : counted(files.length, "host")}, ${formatBytes(bytes)}…`;
}
var TITLES = {
  not_found: "Not found",
  bad_argument: "Not understood",
  unreadable: "This capture cannot be read",
  remote: "The other machine did not answer",
  unreachable: "TensorBoard does not answer"
};
function Failure({ error, again }) {
  return /* @__PURE__ */ a3("section", { class: "panel failure", role: "alert", children: [
    /* @__PURE__ */ a3("h2", { children: TITLES[error.kind] ?? "The server failed" }),
    /* @__PURE__ */ a3("p", { class: "message", children: error.message }),
    again && /* @__PURE__ */ a3("p", { children: /* @__PURE__ */ a3("button", { type: "button", onClick: again, children: "Try again" }) })
  ] });
}
function Shown({ asked, children }) {
  let text2 = j2(Reading), { answer, error, waiting } = asked;
  return /* @__PURE__ */ a3("div", { class: "shown", "aria-busy": waiting, children: [
    /* @__PURE__ */ a3("p", { class: "waiting", role: "status", children: waiting ? text2 : "" }),
    error && !waiting && /* @__PURE__ */ a3(Failure, { error, again: asked.again }),
    answer && !error && /* @__PURE__ */ a3("div", { class: waiting ? "stack dimmed" : "stack", children: children(answer) })
  ] });
}

// src/views/steps_from.tsx
var OPTION = "steps_from";
function text(answer, name) {
  return String(answer?.summary[name] ?? "");
}
function How({ answer }) {
  let { summary: summary2, unknown } = answer, title = text(answer, "step_rule_title") || text(answer, "step_rule"), left = Number(summary2.steps_not_counted ?? 0);
  return !title && summary2.step_count ? null : title ? /* @__PURE__ */ a3($, { children: [
    /* @__PURE__ */ a3("p", { children: [
      /* @__PURE__ */ a3("b", { children: title }),
      " ",
      /* @__PURE__ */ a3("span", { class: "soft", children: text(answer, "step_confidence") })
    ] }),
    /* @__PURE__ */ a3("p", { children: /* @__PURE__ */ a3(Words, { text: text(answer, "step_evidence") }) }),
    left > 0 && /* @__PURE__ */ a3("p", { class: "soft", children: [
      counted(left, "step"),
      " of ",
      String(summary2.step_count),
      " in no mean: cut by the capture, or nothing follows."
    ] })
  ] }) : /* @__PURE__ */ a3("p", { children: /* @__PURE__ */ a3(Words, { text: unknown.step_count ?? unknown.step_time_ms ?? "No step was found." }) });
}
function Choose({ page }) {
  let option = page.tool.options.find(({ name }) => name === OPTION), chosen = page.selection.params[OPTION] ?? "auto", choose = (value) => page.navigate({ params: { ...page.selection.params, [OPTION]: value === "auto" ? "" : value.trim() } }), offers = option?.offers ?? [], onSubmit = (event) => {
    event.preventDefault(), choose(String(new FormData(event.currentTarget).get(OPTION) ?? "") || "auto");
  };
  return /* @__PURE__ */ a3($, { children: [
    /* @__PURE__ */ a3("h2", { children: "Find them by" }),
    /* @__PURE__ */ a3("p", { class: "offers", children: offers.map((offer) => /* @__PURE__ */ a3("button", { type: "button", "aria-pressed": offer === chosen, onClick: () => choose(offer), children: offer }, offer)) }),
    /* @__PURE__ */ a3("form", { onSubmit, children: [
      /* @__PURE__ */ a3("label", { title: option?.help, children: [
        "or the name of an event, or a /regular expression/",
        /* @__PURE__ */ a3(
          "input",
          {
            type: "text",
            name: OPTION,
            spellcheck: !1,
            placeholder: "train_step or /^train.*/",
            defaultValue: offers.includes(chosen) ? "" : chosen
          }
        )
      ] }),
      " ",
      /* @__PURE__ */ a3("button", { type: "submit", children: "Find" })
    ] })
  ] });
}
function StepsFrom({ answer, page }) {
  let rule = text(answer, "step_rule_title") || text(answer, "step_rule"), sure = text(answer, "step_confidence"), said = rule ? `found by: ${rule}${sure && sure !== "certain" ? ` (${sure})` : ""}` : "how steps are found";
  return /* @__PURE__ */ a3(Popover, { label: "How steps are found", button: /* @__PURE__ */ a3($, { children: [
    said,
    " ▸"
  ] }), class: "right steps-from", children: () => /* @__PURE__ */ a3("div", { class: "quality-details", children: [
    answer && /* @__PURE__ */ a3(How, { answer }),
    /* @__PURE__ */ a3(Choose, { page })
  ] }) });
}
function ShownSteps({
  asked,
  page,
  children
}) {
  let { answer, error } = asked, isMine = error?.kind === "bad_argument" && page.selection.params[OPTION] !== void 0;
  return /* @__PURE__ */ a3($, { children: [
    isMine && /* @__PURE__ */ a3(Panel, { title: "", class: "refused", children: [
      /* @__PURE__ */ a3("p", { role: "alert", children: error.message }),
      /* @__PURE__ */ a3(StepsFrom, { answer: null, page })
    ] }),
    (!isMine || answer) && /* @__PURE__ */ a3(Shown, { asked: isMine ? { ...asked, error: null } : asked, children })
  ] });
}

// src/views/step_line.tsx
function StepLine({ answer, page }) {
  let { summary: summary2, unknown } = answer, value = (name) => {
    let found = summary2[name];
    return typeof found == "number" ? found : null;
  }, said = (name, text2, look = "") => {
    let [number3, column] = [value(name), page.tool.summary.find((c4) => c4.name === name)];
    if (number3 === null || !column) return null;
    let shown = formatNumber(number3, column.unit);
    return /* @__PURE__ */ a3("span", { class: look, title: `${column.help}
${exactValue(number3, column.unit)}`, children: text2(shown) });
  }, [count2, low, high] = ["step_count", "step_time_min_ms", "step_time_max_ms"].map(value), why = unknown.step_time_ms, isTold = answer.findings.some(({ title, detail }) => `${title} ${detail}`.includes(why ?? ""));
  return /* @__PURE__ */ a3("div", { class: "step-line", children: [
    said("step_time_ms", (ms2) => `${ms2} a step`, "lead"),
    said("step_time_sd_ms", (ms2) => `±${ms2}`),
    !!count2 && /* @__PURE__ */ a3("span", { children: counted(count2, "step") }),
    said("steps_per_second", (rate) => `${rate.replace(/ ?\/s$/, "")} steps/s`),
    said("step_time_median_ms", (ms2) => `median ${ms2}`),
    said("step_time_p95_ms", (ms2) => `p95 ${ms2}`),
    typeof low == "number" && typeof high == "number" && high > low && /* @__PURE__ */ a3("span", { title: "The shortest and the longest step", children: [
      formatNumber(low, "ms"),
      " – ",
      formatNumber(high, "ms")
    ] }),
    why !== void 0 && /* @__PURE__ */ a3("span", { class: "soft", title: why, children: [
      count2 ? "Step time unknown" : "No steps",
      !isTold && /* @__PURE__ */ a3(Words, { text: `: ${why.replace(/^no steps: /, "")}` })
    ] }),
    /* @__PURE__ */ a3("div", { class: "step-buttons", children: [
      /* @__PURE__ */ a3(StepsFrom, { answer, page }),
      /* @__PURE__ */ a3(AllFigures, { answer, columns: page.tool.summary })
    ] })
  ] });
}

// src/views/table_state.ts
function tableState(params, table) {
  let sort = params[`${table}.sort`];
  return {
    filter: params[`${table}.filter`] ?? "",
    sort: sort ? { column: sort.replace(/^-/, ""), down: sort.startsWith("-") } : null
  };
}
function withTableState(params, table, { filter, sort }) {
  let { [`${table}.filter`]: _filter, [`${table}.sort`]: _sort, ...rest } = params;
  return filter && (rest[`${table}.filter`] = filter), sort && (rest[`${table}.sort`] = `${sort.down ? "-" : ""}${sort.column}`), rest;
}
function useTableState(selection, navigate, table) {
  return {
    state: tableState(selection.params, table),
    setState: (state) => navigate({ params: withTableState(selection.params, table, state) }, "replace")
  };
}

// src/views/table_panel.tsx
function titleFor(title, count2) {
  let [, ten, rest = title] = /^(Top 10 )?(.+)$/.exec(title) ?? [], whole = ten && count2 < 10 ? rest.charAt(0).toUpperCase() + rest.slice(1) : title;
  return count2 === 1 ? whole.replace(/s$/, "") : whole;
}
function TablePanel({ answer, page, table, show, sort = null, more, ...look }) {
  let spec = page.tool.tables.find((t3) => t3.name === table), data = answer.tables[table], { state, setState } = useTableState(page.selection, page.navigate, table);
  if (!spec || !data || !rowCount(data)) return null;
  let title = titleFor(spec.title, rowCount(data));
  return /* @__PURE__ */ a3(Panel, { title, bare: !0, class: `shrinks ${look.class ?? (sort ? "short" : "")}`, children: /* @__PURE__ */ a3(
    DataTable,
    {
      title,
      spec,
      data,
      show,
      csv: page.api.url({ ...given(page), format: "csv", table }),
      json: page.api.url(given(page)),
      find: (name) => page.navigate(searchInTrace(name)),
      setState,
      state: { ...state, sort: state.sort ?? sort },
      more
    }
  ) });
}
function TablePart(props) {
  return /* @__PURE__ */ a3(Boundary, { what: props.table, children: /* @__PURE__ */ a3(TablePanel, { ...props }) });
}

// src/tools/input_pipeline.tsx
var keys = KEYS2;
function number(value) {
  return typeof value == "number" ? value : null;
}
function Gauge({ answer: { summary: summary2 } }) {
  let [share, step2, wait, copy] = ["input_share", "step_time_ms", "input_wait_ms", "copy_in_ms"].map(
    (name) => number(summary2[name])
  );
  if (share == null || !step2) return null;
  let parts = [
    { name: "input wait", ms: wait ?? 0, variable: "--input" },
    { name: "copy in", ms: copy ?? 0, variable: "--copy" }
  ].filter(({ ms: ms2 }) => ms2 > 0), limits = ["moderate", "high"].map((name) => ({ name, at: number(summary2[`threshold_${name}`]) ?? 0 })), words = `Input takes ${percent(share)} of the step; ${limits.map(({ name, at }) => `${name} from ${tickText(at, "share")} on`).join(", ")}`;
  return /* @__PURE__ */ a3("div", { class: "gauge", role: "img", "aria-label": words, children: [
    /* @__PURE__ */ a3("div", { class: "gauge-bar", children: parts.map(({ name, ms: ms2, variable }) => /* @__PURE__ */ a3(
      "b",
      {
        title: `${name}: ${exactValue(ms2, "ms")} a step`,
        style: { width: `${100 * ms2 / step2}%`, background: `var(${variable})` }
      },
      name
    )) }),
    limits.map(({ name, at }) => /* @__PURE__ */ a3("span", { class: "limit", style: { left: `${100 * at}%` }, children: [
      name,
      " ≥ ",
      tickText(at, "share")
    ] }, name)),
    /* @__PURE__ */ a3(
      "output",
      {
        style: { left: `${100 * (share > 0.5 ? Math.min(1, share) : Math.max(share, ...limits.map((l3) => l3.at)))}%` },
        class: share > 0.5 ? "inside" : "",
        children: [
          "input ",
          percent(share)
        ]
      }
    )
  ] });
}
var FIGURES = [
  {
    title: "Input",
    figures: [
      { name: "input_wait_ms", words: "waiting {} a step", always: !0 },
      { name: "input_wait_sd_ms", words: "±{}" },
      { name: "input_wait_max_ms", words: "({input_wait_min_ms} – {})" },
      { name: "copy_in_ms", words: "copying in {}" },
      { name: "expected_step_time_ms", words: "without it a step would take {}" }
    ]
  },
  {
    title: "Pipeline",
    figures: [
      { name: "pipeline", words: "{}" },
      { name: "bottleneck_op", words: "limited by {}" },
      { name: "bottleneck_self_ms", words: "which works {} a step" },
      { name: "input_op_self_ms", words: "all stages work {}" }
    ]
  }
];
function HostSide({ answer, page }) {
  let spec = page.tool.tables.find(({ name }) => name === "host_side"), { columns } = answer.tables.host_side ?? { columns: {} }, kinds = columns.kind ?? [];
  if (!spec || !kinds.length) return null;
  let value = (name, row) => number(columns[name]?.[row]) ?? 0, shown = (name, row) => {
    let column = spec.columns.find((c4) => c4.name === name);
    return column ? formatCell(columns[name]?.[row], column) : "";
  }, most = Math.max(...kinds.map((_4, row) => value("self_ms", row) + value("wait_ms", row))) || 1, filled = kinds.flatMap((_4, row) => value("self_ms", row) + value("wait_ms", row) > 0 ? [row] : []), none = kinds.filter((_4, row) => !filled.includes(row));
  return /* @__PURE__ */ a3(Panel, { title: spec.title, help: spec.help, children: /* @__PURE__ */ a3("div", { class: "bars kinds", children: [
    /* @__PURE__ */ a3("p", { class: "legend", children: [
      /* @__PURE__ */ a3("span", { children: [
        /* @__PURE__ */ a3("i", { style: { background: "var(--host)" } }),
        "work"
      ] }),
      /* @__PURE__ */ a3("span", { children: [
        /* @__PURE__ */ a3("i", { class: "hatched", style: { "--of": "var(--unknown)" } }),
        "only waiting for what feeds it"
      ] })
    ] }),
    /* @__PURE__ */ a3("ul", { children: filled.map((row) => /* @__PURE__ */ a3("li", { title: String(columns.help?.[row] ?? ""), children: [
      /* @__PURE__ */ a3("span", { children: String(kinds[row]) }),
      /* @__PURE__ */ a3("span", { class: "bar", children: [
        /* @__PURE__ */ a3("b", { style: { width: `${100 * value("self_ms", row) / most}%`, background: "var(--host)" } }),
        /* @__PURE__ */ a3(
          "b",
          {
            class: "hatched",
            style: { width: `${100 * value("wait_ms", row) / most}%`, "--of": "var(--unknown)" }
          }
        )
      ] }),
      /* @__PURE__ */ a3("span", { class: "number", children: [
        shown("self_ms", row),
        " ",
        /* @__PURE__ */ a3("span", { class: "soft", children: shown("share", row) })
      ] }),
      /* @__PURE__ */ a3("span", { class: "number soft", children: [
        "waits ",
        formatNumber(value("wait_ms", row), "ms")
      ] })
    ] }, row)) }),
    none.length > 0 && /* @__PURE__ */ a3("p", { class: "soft", children: [
      "none: ",
      none.join(", ")
    ] })
  ] }) });
}
var OPS = ["op", "kind", "count", "self_ms", "self_share", "function_ms", "wait_ms", "total_ms", "total_share"];
function Report(part) {
  let { answer, page } = part, [first, ...more] = answer.findings;
  return /* @__PURE__ */ a3($, { children: [
    /* @__PURE__ */ a3(Panel, { title: "", class: "answer", children: [
      first && /* @__PURE__ */ a3(Headline, { finding: first, answer, navigate: page.navigate }),
      /* @__PURE__ */ a3(StepLine, { ...part }),
      /* @__PURE__ */ a3(Gauge, { ...part }),
      /* @__PURE__ */ a3(Figures, { answer, page, groups: answer.summary.step_count ? FIGURES : FIGURES.slice(1) })
    ] }),
    /* @__PURE__ */ a3("div", { class: "columns capped", children: [
      /* @__PURE__ */ a3(StepChart, { ...part, noun: "step", quiet: !0, mean: number(answer.summary.step_time_ms) }),
      /* @__PURE__ */ a3("div", { class: "stack", children: [
        /* @__PURE__ */ a3(HostSide, { ...part }),
        more.length > 0 && /* @__PURE__ */ a3(Panel, { title: "What to change", class: "shrinks", children: /* @__PURE__ */ a3(Findings, { findings: more, answer, navigate: page.navigate }) })
      ] })
    ] }),
    /* @__PURE__ */ a3(TablePart, { ...part, table: "ops", show: [...OPS, "threads"] })
  ] });
}
function InputPipeline(page) {
  let asked = useAnswer(page.api, given(page));
  return /* @__PURE__ */ a3("div", { class: "page fits", children: /* @__PURE__ */ a3(ShownSteps, { asked, page, children: (answer) => /* @__PURE__ */ a3(Report, { answer, page }) }) });
}

// src/tools/overview.tsx
var overview_exports = {};
__export(overview_exports, {
  default: () => Overview,
  keys: () => keys2
});

// src/views/split_bar.tsx
function partsOf({ columns }) {
  let number3 = (name, row) => Number(columns[name]?.[row] ?? 0);
  return (columns.category ?? []).map((key, row) => ({
    key: String(key),
    group: String(columns.group?.[row] ?? ""),
    title: String(columns.title?.[row] ?? key),
    ms: number3("step_ms", row),
    share: number3("share", row),
    hidden: number3("hidden_ms", row),
    help: String(columns.help?.[row] ?? "")
  }));
}
function stretchFor(key, steps) {
  let values = (steps?.columns[`${key}_ms`] ?? []).map(Number);
  if (!steps || !values.length) return null;
  let row = values.reduce((best, value, i4) => value > values[best] ? i4 : best, 0), cells = (name) => (steps.columns[name] ?? []).map((cell) => cell === null ? null : Number(cell)), stretch2 = stretchOf({ starts: cells("start_ms"), lengths: cells("duration_ms") }, row);
  return stretch2 && [String(steps.columns.name?.[row] ?? ""), ...stretch2];
}
var LETTER_PX2 = 6.8, PADDING_PX2 = 16, WORTH_HIDING = ["collective", "copy", "input"], LEAST_HIDDEN = 0.01;
function fitting(texts2, px) {
  return texts2.find((text2) => text2.length * LETTER_PX2 + PADDING_PX2 <= px) ?? "";
}
function useWidth() {
  let box = T2(null), [width, setWidth] = d2(0);
  return A2(() => {
    let sizes = new ResizeObserver(() => setWidth(box.current?.clientWidth ?? 0));
    return box.current && sizes.observe(box.current), () => sizes.disconnect();
  }, []), { box, width };
}
function Segment({ part, text: text2, steps, open }) {
  let { key, title, ms: ms2, share, hidden, help } = part, stretch2 = stretchFor(key, steps), variable = categoryOf(key), said = [
    `${title}: ${exactValue(ms2, "ms")} a step, ${percent(share)}`,
    help,
    hidden > 0 ? `Another ${formatNumber(hidden, "ms")} of it is hidden behind other parts.` : "",
    stretch2 ? `Press to see ${stretch2[0]}, which has most of it, in the trace.` : ""
  ].filter(Boolean);
  return /* @__PURE__ */ a3(
    "button",
    {
      type: "button",
      "aria-label": said[0],
      title: said.join(`
`),
      style: { flexGrow: share, background: `var(${variable})`, color: `var(${variable}-text)` },
      onClick: () => stretch2 && open(stretch2[1], stretch2[2]),
      children: text2
    }
  );
}
function SplitBar({ answer, open }) {
  let { box, width } = useWidth(), all = partsOf(answer.tables.split ?? { columns: {} }), shown = all.filter(({ ms: ms2 }) => ms2 > 0).sort((a4, b4) => b4.ms - a4.ms);
  if (!shown.length) return null;
  let texts2 = new Map(
    shown.map((part) => {
      let ms2 = formatNumber(part.ms, "ms"), full = `${part.title} ${ms2}`;
      return [part, fitting([`${full} · ${percent(part.share)}`, full, ms2], part.share * width)];
    })
  ), unsaid = shown.filter((part) => !texts2.get(part).startsWith(part.title)), step2 = shown.reduce((sum, { ms: ms2 }) => sum + ms2, 0), hidden = all.filter((part) => WORTH_HIDING.includes(part.group) && part.hidden > LEAST_HIDDEN * step2), none = all.filter(({ ms: ms2, hidden: also }) => ms2 <= 0 && also <= 0), names = namesOfNone(
    none.map(({ key, title }) => [key, title]),
    shown.map(({ key }) => key)
  );
  return /* @__PURE__ */ a3("div", { class: "split", children: [
    /* @__PURE__ */ a3("div", { class: "split-bar", ref: box, role: "group", "aria-label": "Where a step's time goes", children: shown.map((part) => /* @__PURE__ */ a3(Segment, { part, text: texts2.get(part), steps: answer.tables.steps, open }, part.key)) }),
    /* @__PURE__ */ a3("p", { class: "legend", children: [
      unsaid.map((part) => /* @__PURE__ */ a3("span", { title: part.help, children: [
        /* @__PURE__ */ a3("i", { style: { background: `var(${categoryOf(part.key)})` } }),
        part.title,
        " ",
        formatNumber(part.ms, "ms")
      ] }, part.key)),
      hidden.map((part) => /* @__PURE__ */ a3("span", { title: `${part.help}
It runs while another part of the step counts.`, children: [
        /* @__PURE__ */ a3("i", { class: "hatched", style: { "--of": `var(${categoryOf(part.key)})` } }),
        "+ ",
        formatNumber(part.hidden, "ms"),
        " ",
        part.title.toLowerCase(),
        " hidden"
      ] }, `+${part.key}`)),
      names.length > 0 && /* @__PURE__ */ a3("span", { class: "soft none", title: none.map(({ title, help }) => `${title}: ${help}`).join(`
`), children: [
        "none: ",
        names.join(", ")
      ] })
    ] })
  ] });
}

// src/tools/overview.tsx
var keys2 = [...KEYS2, ...KEYS];
function number2(value) {
  return typeof value == "number" ? value : null;
}
function rows(answer, table) {
  return rowCount(answer.tables[table] ?? { columns: {} });
}
function Link({ tool, page, children }) {
  return /* @__PURE__ */ a3("button", { type: "button", class: "link", onClick: () => page.navigate({ tool }), children });
}
var TEXT_SHARE = 0.07;
function Segment2({ share, variable, text: text2, title }) {
  if (share <= 0) return null;
  let style = { width: `${100 * share}%`, background: `var(${variable})`, color: `var(${variable}-text)` };
  return /* @__PURE__ */ a3("b", { style, title: `${text2}: ${title}`, children: share > TEXT_SHARE && /* @__PURE__ */ a3("span", { children: text2 }) });
}
function BusyBar({ answer }) {
  let { summary: summary2 } = answer, idle = number2(summary2.device_idle_share), host2 = number2(summary2.host_op_share);
  if (idle === null && host2 === null) return null;
  let [busy, variable, name] = idle === null ? [host2, "--host", "host ops"] : [1 - idle, "--device", "devices busy"], busyMs = summary2[idle === null ? "host_op_ms" : "device_busy_ms"], idleMs = idle === null ? null : summary2.device_idle_ms, rest = idle === null ? "no op running" : "idle";
  return /* @__PURE__ */ a3("div", { class: "busy-bar", role: "img", "aria-label": `${name} ${percent(busy)}, ${rest} ${percent(1 - busy)}`, children: [
    /* @__PURE__ */ a3(Segment2, { share: busy, variable, text: `${name} ${percent(busy)}`, title: exactValue(busyMs, "ms") }),
    /* @__PURE__ */ a3(
      Segment2,
      {
        share: 1 - busy,
        variable: "--idle",
        text: `${rest} ${percent(1 - busy)}`,
        title: idleMs === null ? percent(1 - busy) : exactValue(idleMs, "ms")
      }
    )
  ] });
}
var NOT = (share) => 1 - share, TPU = {
  title: "TPU",
  figures: [
    { name: "duty_cycle_share", words: "{} duty cycle" },
    { name: "mxu_utilization_share", words: "{} of matrix units (MXU)", always: !0 },
    { name: "hbm_utilization_share", words: "{} of memory bandwidth (HBM)", always: !0 },
    { name: "matrix_op_share", words: "{} of op time in matrix ops" },
    { name: "infeed_mean_share", words: "{} waiting for infeed ({infeed_min_share} – {infeed_max_share} by core)" },
    { name: "outfeed_share", words: "{} in outfeed" },
    { name: "step_idle_share", words: "{} of steps idle" }
  ]
}, DEVICES = {
  title: "Devices",
  figures: [
    { name: "device_idle_share", words: "{} busy", of: NOT, always: !0 },
    { name: "device_wait_share", words: "{} of op time only waits" },
    { name: "device_eager_share", words: "{} of op time eager" },
    { name: "kernel_count", words: "{} kernels and copies" }
  ]
}, USE = [
  { name: "flop_utilization_share", words: "{} of peak FLOP/s" },
  { name: "bandwidth_utilization_share", words: "{} of peak memory bandwidth" }
], PRECISION = {
  title: "Compute in",
  figures: [
    { name: "compute_8bit_share", words: "8 bits {}" },
    { name: "compute_16bit_share", words: "16 bits {}" },
    { name: "compute_tf32_share", words: "TF32 {}" },
    { name: "compute_32bit_share", words: "32 bits {}" },
    { name: "compute_64bit_share", words: "64 bits {}" },
    { name: "compute_other_share", words: "untold precision {}" }
  ]
}, HOST = {
  title: "Host",
  figures: [
    { name: "host_op_share", words: "an op runs {} of the time" },
    { name: "host_wait_share", words: "{} of op time only waits" },
    { name: "host_eager_share", words: "{} of op time eager" }
  ]
};
function groupsFor({ summary: summary2 }) {
  return summary2.device_count ? summary2.duty_cycle_share !== null ? [DEVICES, TPU, PRECISION, HOST] : [{ ...DEVICES, figures: [...DEVICES.figures, ...USE] }, PRECISION, HOST] : [HOST];
}
function TopOps({ answer, page, side }) {
  let table = `${side}_ops`, show = ["name", "self_ms", "self_share", ...answer.tables[table]?.columns.wait_share?.some((share) => share !== null) ? ["wait_share"] : [], "occurrences"];
  return /* @__PURE__ */ a3(TablePart, { answer, page, table, show, more: /* @__PURE__ */ a3(Link, { tool: "op_stats", page, children: [
    "all ",
    side,
    " ops ▸"
  ] }) });
}
function Environment({ answer }) {
  let { key = [], value = [] } = answer.tables.environment?.columns ?? {}, { host_count: hosts, device_count: devices, device_type: type, framework, span_ms, start_ms } = answer.summary, facts = [
    counted(Number(hosts ?? 0), "host"),
    devices ? `${counted(Number(devices), "device")}: ${type}` : type,
    framework,
    typeof span_ms == "number" && `${formatNumber(span_ms, "ms")} captured`,
    typeof start_ms == "number" && formatTime(start_ms)
  ].filter(Boolean), pairs = key.map((name, i4) => [formatValue(name, "").replaceAll("_", " "), formatValue(value[i4], "")]);
  return /* @__PURE__ */ a3(Panel, { title: "Environment", class: "environment shrinks", children: [
    /* @__PURE__ */ a3("p", { title: answer.unknown.framework && `Framework unknown: ${answer.unknown.framework}`, children: facts.join(" · ") }),
    /* @__PURE__ */ a3("dl", { class: "pairs", children: pairs.map(([name, text2], i4) => /* @__PURE__ */ a3("div", { title: `${name}: ${text2}`, children: [
      /* @__PURE__ */ a3("dt", { children: name }),
      /* @__PURE__ */ a3("dd", { children: /* @__PURE__ */ a3(Name, { text: text2.replaceAll("`", "") }) })
    ] }, i4)) })
  ] });
}
var MANY_DEVICES = 4;
function Tiles({ answer, page }) {
  let { columns } = answer.tables.devices, spec = page.tool.tables.find(({ name }) => name === "devices"), names = columns.device ?? [], hosts = new Set(columns.host).size, isOneEach = hosts === names.length, isKnown = columns.idle_share?.some((share) => share !== null), told = (row) => spec.columns.map((c4) => `${label(c4)}: ${formatCell(columns[c4.name]?.[row], c4)}`).join(`
`);
  return /* @__PURE__ */ a3(
    Panel,
    {
      title: `${counted(names.length, "device")}, ${isKnown ? "busy part of the capture" : "how busy is unknown"}`,
      help: answer.unknown.device_idle_share ?? "",
      class: "tiles shrinks",
      children: /* @__PURE__ */ a3("ul", { children: names.map((name, row) => {
        let idle = number2(columns.idle_share?.[row]), host2 = columns.host?.[row];
        return /* @__PURE__ */ a3($, { children: [
          hosts > 1 && !isOneEach && host2 !== columns.host?.[row - 1] && /* @__PURE__ */ a3("li", { class: "soft tiles-host", children: host2 }),
          /* @__PURE__ */ a3("li", { title: told(row), children: [
            /* @__PURE__ */ a3("span", { class: "share", children: idle !== null && /* @__PURE__ */ a3("b", { style: { width: `${100 * (1 - idle)}%`, background: "var(--device)" } }) }),
            /* @__PURE__ */ a3("span", { children: `${hosts > 1 && isOneEach ? `${host2}/` : ""}${name}`.replace("/device:", "") }),
            /* @__PURE__ */ a3("output", { children: idle === null ? "–" : percent(1 - idle) })
          ] })
        ] }, row);
      }) })
    }
  );
}
function Machines(part) {
  let hosts = rows(part.answer, "hosts"), columns = ["device", "idle_share", "busy_ms", "kernels", "model", "memory_bytes"], shown = ["host", "span_ms", "op_ms", "op_count", "threads", "devices"];
  return /* @__PURE__ */ a3($, { children: [
    hosts > 1 || rows(part.answer, "devices") > MANY_DEVICES ? rows(part.answer, "devices") > 0 && /* @__PURE__ */ a3(Tiles, { ...part }) : /* @__PURE__ */ a3(TablePart, { ...part, table: "devices", show: columns }),
    hosts > 1 && /* @__PURE__ */ a3(TablePart, { ...part, table: "hosts", show: shown, sort: { column: "span_ms", down: !0 } })
  ] });
}
var PROGRAMS = ["program", "occurrences", "mean_ms", "total_ms", "share"];
function Report2(part) {
  let { answer, page } = part, [first, ...more] = answer.findings, sides = ["device", "host"].filter((side) => rows(answer, `${side}_ops`) > 0), hasSteps = rows(answer, "split") > 0, open = (...stretch2) => page.navigate(stretchInTrace(...stretch2));
  return /* @__PURE__ */ a3($, { children: [
    /* @__PURE__ */ a3(Panel, { title: "", class: "answer", children: [
      first && /* @__PURE__ */ a3(Headline, { finding: first, answer, navigate: page.navigate }),
      /* @__PURE__ */ a3(StepLine, { ...part }),
      hasSteps ? /* @__PURE__ */ a3(SplitBar, { answer, open }) : /* @__PURE__ */ a3(BusyBar, { ...part }),
      /* @__PURE__ */ a3(Figures, { answer, page, groups: groupsFor(answer) })
    ] }),
    /* @__PURE__ */ a3("div", { class: "columns screen", children: [
      /* @__PURE__ */ a3("div", { class: "stack", children: [
        /* @__PURE__ */ a3(StepChart, { ...part, noun: "step", height: 140, quiet: !0, told: !0, mean: number2(answer.summary.step_time_ms) }),
        /* @__PURE__ */ a3(LineChart, { ...part }),
        /* @__PURE__ */ a3(Machines, { ...part }),
        /* @__PURE__ */ a3(Environment, { ...part })
      ] }),
      /* @__PURE__ */ a3("div", { class: "stack", children: [
        sides[0] && /* @__PURE__ */ a3(TopOps, { ...part, side: sides[0] }),
        /* @__PURE__ */ a3(TablePart, { ...part, table: "programs", show: PROGRAMS, class: "short" }),
        more.length > 0 && /* @__PURE__ */ a3(Panel, { title: "More findings", class: "shrinks", children: /* @__PURE__ */ a3(Findings, { findings: more, answer, navigate: page.navigate }) }),
        sides[1] && /* @__PURE__ */ a3(TopOps, { ...part, side: sides[1] })
      ] })
    ] })
  ] });
}
function Overview(page) {
  let asked = useAnswer(page.api, given(page));
  return /* @__PURE__ */ a3("div", { class: "page fits", children: /* @__PURE__ */ a3(ShownSteps, { asked, page, children: (answer) => /* @__PURE__ */ a3(Report2, { answer, page }) }) });
}

// src/tools/pod_viewer.tsx
var pod_viewer_exports = {};
__export(pod_viewer_exports, {
  default: () => PodViewer,
  keys: () => keys3
});

// src/views/workers.ts
function stepsOf({ columns }) {
  let found = /* @__PURE__ */ new Map();
  (columns.step ?? []).forEach((step2, row) => {
    let rows3 = found.get(step2);
    rows3 ? rows3.push(row) : found.set(step2, [row]);
  });
  let rows2 = [...found.values()], names = columns.name ?? columns.step ?? [];
  return { rows: rows2, names: rows2.map(([first]) => String(names[first] ?? "")) };
}
function picked({ columns }, rows2) {
  let { name: _name, ...rest } = columns;
  return {
    columns: Object.fromEntries(Object.entries(rest).map(([key, cells]) => [key, rows2.map((row) => cells[row])]))
  };
}
function skews({ columns }, { rows: rows2 }) {
  let known2 = (name, of2) => of2.flatMap((row) => typeof columns[name]?.[row] == "number" ? [columns[name][row]] : []), per = (take) => rows2.map(take), extent2 = (of2) => known2("work_ms", of2).reduce(([low, high], v4) => [Math.min(low, v4), Math.max(high, v4)], [1 / 0, 0]), finite = (value) => Number.isFinite(value) ? value : null, first = (name) => per((of2) => columns[name]?.[of2[0]] ?? null);
  return {
    columns: {
      step: first("step"),
      name: first("name"),
      cut: first("cut"),
      start_ms: per((of2) => finite(Math.min(...known2("start_ms", of2)))),
      duration_ms: per((of2) => finite(Math.max(...known2("duration_ms", of2)))),
      work_ms: per((of2) => finite(extent2(of2)[0])),
      skew_ms: per((of2) => finite(extent2(of2)[1] - extent2(of2)[0]))
    }
  };
}
function ordered(names, totals, by) {
  let rows2 = names.map((_4, row) => row), collator = new Intl.Collator("en", { numeric: !0 });
  return rows2.sort((a4, b4) => by === "time" ? totals[b4] - totals[a4] : collator.compare(names[a4], names[b4]));
}

// src/views/worker_bars.tsx
var ROW_PX2 = 24, MOST_ROWS = 16, MARK_CH = 2;
function WorkerBars(props) {
  let { view, spec, data } = props, stacked = w2(() => stackedOf({ ...view, label: "worker" }, spec, data), [view, spec, data]);
  return stacked ? /* @__PURE__ */ a3(Bars, { ...props, stacked }) : /* @__PURE__ */ a3("p", { class: "soft", children: "No worker spent time in this step." });
}
function Bar({ stacked, row, most }) {
  return /* @__PURE__ */ a3("span", { class: "bar", children: stacked.parts.map(
    ({ column, variable, values }) => values[row] > 0 ? /* @__PURE__ */ a3(
      "b",
      {
        style: { width: `${100 * values[row] / most}%`, background: `var(${variable})` },
        class: stacked.cut[row] ? "cut" : ""
      },
      column.name
    ) : null
  ) });
}
function workOf({ columns }, { totals }) {
  let work = columns.work_ms ?? [];
  return totals.map((total2, row) => typeof work[row] == "number" ? work[row] : total2);
}
function Bars({ title, data, by, late, open, stacked }) {
  let { names, totals, unit } = stacked, work = w2(() => workOf(data, stacked), [stacked]), rows2 = w2(() => ordered(names, work, by), [work, by]), most = totals.reduce((best, total2) => Math.max(best, total2), 0), widest = names.reduce((best, name) => Math.max(best, name.length), 0), scroller = T2(null), virtual = useVirtualRows(scroller, rows2.length, ROW_PX2), chosen = useChosen(rows2, (index) => virtual.scrollToIndex(index)), [hover, setHover] = d2(null), go2 = (row) => {
    let stretch2 = row === void 0 ? null : stretchOf(stacked, row);
    stretch2 && open(...stretch2);
  }, onKeyDown = (event) => {
    !chosen.onKey(event) && event.key === "Enter" && go2(chosen.at);
  }, looked = hover ?? chosen.at, at = looked !== void 0 && looked < names.length ? looked : void 0;
  return /* @__PURE__ */ a3("div", { class: "workers", children: [
    /* @__PURE__ */ a3(Legend2, { stacked, quiet: !1 }),
    /* @__PURE__ */ a3(
      "ul",
      {
        ref: scroller,
        role: "listbox",
        tabIndex: 0,
        "aria-label": title,
        style: { height: `${ROW_PX2 * Math.min(rows2.length, MOST_ROWS)}px`, "--name": `${widest + MARK_CH}ch` },
        onKeyDown,
        onMouseLeave: () => setHover(null),
        children: [
          /* @__PURE__ */ a3("li", { role: "presentation", style: { height: `${virtual.getTotalSize()}px` } }),
          virtual.getVirtualItems().map(({ index, start }) => {
            let row = rows2[index], isLate = late && [names[row], data.columns.host?.[row]].includes(late);
            return /* @__PURE__ */ a3(
              "li",
              {
                role: "option",
                "aria-selected": row === at,
                style: { top: `${start}px` },
                class: stacked.starts ? "opens" : "",
                onMouseEnter: () => setHover(row),
                onClick: () => go2(row),
                children: [
                  /* @__PURE__ */ a3(Name, { text: `${isLate ? "▲ " : ""}${names[row]}` }),
                  /* @__PURE__ */ a3(Bar, { stacked, row, most }),
                  /* @__PURE__ */ a3("span", { class: "number", title: "Its own work: without what it waits for others", children: [
                    formatNumber(work[row], unit),
                    " own"
                  ] }),
                  /* @__PURE__ */ a3("span", { class: "soft", children: String(data.columns.bottleneck?.[row] ?? "") })
                ]
              },
              row
            );
          })
        ]
      }
    ),
    at !== void 0 && /* @__PURE__ */ a3("div", { class: "chart-tip", role: "tooltip", children: [
      /* @__PURE__ */ a3("p", { children: [
        /* @__PURE__ */ a3("b", { children: names[at] }),
        " ",
        formatNumber(totals[at], unit),
        ", ",
        formatNumber(work[at], unit),
        " own work"
      ] }),
      stacked.cut[at] && /* @__PURE__ */ a3("p", { class: "cut", children: whyCut(stacked.cut[at]) }),
      /* @__PURE__ */ a3(Parts, { stacked, row: at })
    ] })
  ] });
}

// src/tools/pod_viewer.tsx
var keys3 = [
  ["← → Home End", "on the slider: the step before, after, the mean of all, the last"],
  ["↑ ↓ Enter", "in the bars: another worker; its step in the trace"],
  ...KEYS2
], FIGURES2 = [
  {
    title: "",
    figures: [
      { name: "worker_count", words: "workers: {}" },
      { name: "skew_ms", words: "slowest and fastest {} ({skew_share} of a step) apart" },
      { name: "lost_ms", words: "a worker waits {} a step for the slowest" },
      { name: "straggler", words: "straggler {}, slowest in {straggler_share} of steps" }
    ]
  },
  {
    title: "Hosts",
    figures: [
      { name: "host_count", words: "{}" },
      { name: "common_step_count", words: "steps on all of them: {}" },
      { name: "clock_offset_ms", words: "clocks differ by {} ± {clock_error_ms}" }
    ]
  }
], SENTENCES = [
  ["compared_by", "Workers are compared by"],
  ["aligned", "Steps side by side:"],
  ["clocks", "Clocks:"]
];
function Sentences({ answer: { findings, summary: summary2 } }) {
  let said = findings.map(({ title, detail }) => `${title} ${detail}`.toLowerCase()).join(), isNews = (name) => !!summary2[name] && summary2.host_count !== 1 && !said.includes(String(summary2[name]).toLowerCase()), told = SENTENCES.flatMap(([name, words]) => isNews(name) ? [`${words} ${summary2[name]}`] : []);
  return told.length ? /* @__PURE__ */ a3("p", { class: "soft", children: told.join(" · ") }) : null;
}
function Workers(part) {
  let { page } = part, found = viewOf(part, "stack", "steps"), mean = viewOf(part, "stack", "workers"), steps = w2(() => found && stepsOf(found.data), [found?.data]), { params } = page.selection, last = steps ? steps.rows.length : 0, at = Math.min(last, Math.max(mean ? 0 : 1, Number(params.at ?? 0) || 0)), shown = w2(
    () => at && found ? { ...found, data: picked(found.data, steps.rows[at - 1]) } : mean,
    [found?.data, mean?.data, at]
  );
  if (!found || !steps || !shown) return null;
  let set = (name2, value) => page.navigate({ params: { ...params, [name2]: value } }, "replace"), by = params.by === "time" ? "time" : "name", { csv, json, open } = common(page, found.view, found.spec), name = at ? steps.names[at - 1] : "mean of all steps", title = "Workers side by side";
  return /* @__PURE__ */ a3(Panel, { title, bare: !0, class: "workers-panel", children: [
    /* @__PURE__ */ a3("div", { class: "lines-bar worker-bar", children: [
      /* @__PURE__ */ a3("b", { title: shown.spec.help, children: title }),
      /* @__PURE__ */ a3(
        "input",
        {
          type: "range",
          min: mean ? 0 : 1,
          max: last,
          value: at,
          "aria-label": "Step",
          "aria-valuetext": name,
          onInput: (event) => set("at", event.currentTarget.value === "0" ? "" : event.currentTarget.value)
        }
      ),
      /* @__PURE__ */ a3("output", { children: name }),
      /* @__PURE__ */ a3("span", { class: "grow" }),
      /* @__PURE__ */ a3("label", { hidden: part.answer.summary.worker_count === 1, children: [
        "first",
        " ",
        /* @__PURE__ */ a3("select", { value: by, onChange: (event) => set("by", event.currentTarget.value), children: [
          /* @__PURE__ */ a3("option", { value: "name", children: "by name" }),
          /* @__PURE__ */ a3("option", { value: "time", children: "the slowest" })
        ] })
      ] }),
      /* @__PURE__ */ a3(Links, { csv, json })
    ] }),
    /* @__PURE__ */ a3(WorkerBars, { ...shown, title, by, open, late: String(part.answer.summary.straggler ?? "") })
  ] });
}
function OnlySteps(part) {
  let found = viewOf(part, "stack", "steps");
  return found ? /* @__PURE__ */ a3(Panel, { title: "Steps", bare: !0, children: /* @__PURE__ */ a3(
    Stack,
    {
      ...common(part.page, found.view, found.spec),
      ...found,
      title: "Steps",
      view: { ...found.view, label: "step" },
      noun: "step",
      quiet: !0,
      told: !0
    }
  ) }) : null;
}
var SKEW = { kind: "stack", title: "", table: "", label: "step", values: ["work_ms", "skew_ms"], show: [] };
function Skew(part) {
  let found = viewOf(part, "stack", "steps"), data = w2(() => found && skews(found.data, stepsOf(found.data)), [found?.data]);
  if (!found || !data) return null;
  let spec = {
    ...found.spec,
    help: "Own work of each step's fastest worker, and what its slowest has more.",
    columns: SKEW.values.map((name) => ({ name, dtype: "float64", unit: "ms", help: "" }))
  }, title = "Skew over steps";
  return /* @__PURE__ */ a3(Panel, { title, bare: !0, children: /* @__PURE__ */ a3(
    Stack,
    {
      ...common(part.page, found.view, found.spec),
      title,
      spec,
      data,
      view: SKEW,
      noun: "step",
      height: 120,
      quiet: !0
    }
  ) });
}
function Which({ answer, page }) {
  let [shown, all] = [answer.summary.shown_count, answer.summary.step_count];
  if (typeof shown != "number" || typeof all != "number" || shown >= all) return null;
  let options2 = page.tool.options.filter(({ name }) => ["step", "steps"].includes(name));
  return /* @__PURE__ */ a3("div", { class: "step-line", children: [
    /* @__PURE__ */ a3("span", { class: "soft", children: [
      counted(shown, "step"),
      " of ",
      all,
      " shown"
    ] }),
    /* @__PURE__ */ a3(Options, { options: options2, params: page.selection.params, set: (params) => page.navigate({ params }) })
  ] });
}
var TABLE = [
  "worker",
  "steps",
  "mean_ms",
  "max_ms",
  "work_ms",
  "lateness_ms",
  "slowest_count",
  "clock_offset_ms",
  "bottleneck"
];
function Report3(part) {
  let { answer, page } = part, [first, ...more] = answer.findings;
  return /* @__PURE__ */ a3($, { children: [
    /* @__PURE__ */ a3(Panel, { title: "", class: "answer", children: [
      first && /* @__PURE__ */ a3(Headline, { finding: first, answer, navigate: page.navigate }),
      /* @__PURE__ */ a3(StepLine, { ...part }),
      /* @__PURE__ */ a3(
        Figures,
        {
          answer,
          page,
          groups: answer.summary.host_count === 1 ? FIGURES2.slice(0, 1) : FIGURES2
        }
      ),
      /* @__PURE__ */ a3(Sentences, { ...part })
    ] }),
    /* @__PURE__ */ a3(Workers, { ...part }),
    /* @__PURE__ */ a3(Which, { ...part }),
    /* @__PURE__ */ a3("div", { class: "columns capped", children: [
      answer.summary.worker_count === 1 ? /* @__PURE__ */ a3(OnlySteps, { ...part }) : /* @__PURE__ */ a3(Skew, { ...part }),
      more.length > 0 && /* @__PURE__ */ a3(Panel, { title: "More findings", class: "shrinks", children: /* @__PURE__ */ a3(Findings, { findings: more, answer, navigate: page.navigate }) })
    ] }),
    /* @__PURE__ */ a3(TablePart, { ...part, table: "workers", show: TABLE })
  ] });
}
function PodViewer(page) {
  let asked = useAnswer(page.api, given(page));
  return /* @__PURE__ */ a3("div", { class: "page fits", children: /* @__PURE__ */ a3(ShownSteps, { asked, page, children: (answer) => /* @__PURE__ */ a3(Report3, { answer, page }) }) });
}

// src/tools/trace_viewer.tsx
var trace_viewer_exports = {};
__export(trace_viewer_exports, {
  default: () => TraceViewer,
  keys: () => keys4
});

// src/selection.ts
var SHARED = ["steps_from"];
function withShared(old, next2) {
  let shared = SHARED.flatMap((name) => old[name] === void 0 ? [] : [[name, old[name]]]);
  return Object.fromEntries(Object.entries({ ...Object.fromEntries(shared), ...next2 }).filter(([, value]) => value));
}
function ownParams(params) {
  return Object.fromEntries(Object.entries(params).filter(([name]) => !SHARED.includes(name)));
}
var PLACES = ["start_ps", "end_ps", "range", "event", "clock", "at", "step", "bars"];
function withoutPlaces(params) {
  return Object.fromEntries(Object.entries(params).filter(([name]) => !PLACES.includes(name)));
}
function changed(old, change) {
  let isOther2 = change.run !== void 0 && change.run !== old.run, kept = isOther2 ? withoutPlaces(old.params) : old.params, params = change.tool !== void 0 && change.tool !== old.tool ? {} : kept, hosts = isOther2 ? [] : old.hosts, next2 = { ...old, params, hosts, ...change };
  return { ...next2, params: withShared(old.params, next2.params) };
}

// src/timeline/scale.ts
function length(view) {
  return view.end - view.start;
}
function toX(time, view, width) {
  return (time - view.start) / length(view) * width;
}
function toTime(x2, view, width) {
  return view.start + x2 / width * length(view);
}
function clamped(view, span) {
  let long = Math.min(Math.max(length(view), 20), Math.max(length(span), 20)), start = Math.min(Math.max(view.start, span.start), Math.max(span.end - long, span.start));
  return { start, end: start + long };
}
function zoomed2(view, factor, share, span) {
  let at = view.start + share * length(view), long = Math.min(Math.max(length(view) * factor, 20), Math.max(length(span), 20));
  return clamped({ start: at - share * long, end: at + (1 - share) * long }, span);
}
function panned(view, share, span) {
  let by = share * length(view);
  return clamped({ start: view.start + by, end: view.end + by }, span);
}
function around(start, end, share, span) {
  let long = Math.max(end - start, 1) / share, middle3 = start + (end - start) / 2;
  return clamped({ start: middle3 - long / 2, end: middle3 + long / 2 }, span);
}
function overlaps(view, start, end) {
  return start < view.end && end > view.start;
}

// src/timeline/tracks.ts
function keyOf(host2, row) {
  return `${encodeURIComponent(host2)}:${row}`;
}
function processesOf(table, hosts) {
  let c4 = table.columns, found = /* @__PURE__ */ new Map();
  return (c4.host ?? []).forEach((cell, i4) => {
    let host2 = String(cell), key = keyOf(host2, Number(c4.plane[i4])), process2 = found.get(key);
    if (!process2) {
      let name = String(c4.process[i4]);
      process2 = {
        key,
        name: hosts > 1 ? `${host2} ${name}` : name,
        kind: String(c4.process_kind[i4]),
        tracks: [],
        events: 0
      }, found.set(key, process2);
    }
    let row = Number(c4.track[i4]), events = Number(c4.events[i4]);
    process2.tracks.push({
      key: keyOf(host2, row),
      host: host2,
      row,
      name: String(c4.name[i4]),
      kind: String(c4.kind[i4]),
      lanes: Number(c4.lanes[i4]),
      events
    }), process2.events += events;
  }), [...found.values()];
}
function joined(pages) {
  let names = Object.keys(pages[0]?.columns ?? {});
  return {
    columns: Object.fromEntries(names.map((name) => [name, pages.flatMap((page) => page.columns[name] ?? [])]))
  };
}
function layout(processes, closed) {
  let rows2 = [], byTrack = /* @__PURE__ */ new Map(), top = 0;
  for (let process2 of processes)
    if (rows2.push({ top, height: 24, process: process2, track: null }), top += 24, !closed.has(process2.key))
      for (let track of process2.tracks) {
        if (!track.events) continue;
        let row = { top, height: track.lanes * 18 + 6, process: process2, track };
        rows2.push(row), byTrack.set(track.key, row), top += row.height;
      }
  return { rows: rows2, height: top, byTrack };
}
function rowsBetween({ rows: rows2 }, top, bottom) {
  let low = 0, high = rows2.length;
  for (; low < high; ) {
    let middle3 = low + high >> 1, row = rows2[middle3];
    row.top + row.height <= top ? low = middle3 + 1 : high = middle3;
  }
  let found = [];
  for (let i4 = low; i4 < rows2.length && rows2[i4].top < bottom; i4++) found.push(rows2[i4]);
  return found;
}

// src/timeline/scene.ts
var RULER = 24, REACH = 2;
function isOther({ needle, found }, name) {
  return needle !== "" && !name.toLowerCase().includes(needle) && !found.has(name);
}
function sliceAt(slices, index, track, depth) {
  return {
    track,
    depth,
    start: slices.window.start + slices.start[index],
    duration: slices.duration[index],
    idle: slices.idle[index],
    name: slices.names[slices.name[index]] ?? "",
    count: slices.count[index],
    row: slices.row[index]
  };
}
function firstAfter(slices, depth, time) {
  let low = slices.lanes[depth] ?? slices.start.length, end = slices.lanes[depth + 1] ?? low, high = end;
  for (; low < high; ) {
    let middle3 = low + high >> 1;
    slices.start[middle3] + slices.duration[middle3] < time ? low = middle3 + 1 : high = middle3;
  }
  return [low, end];
}
function nearest(slices, track, depth, time, reach) {
  let at = time - slices.window.start, best = null, away = reach, [first, end] = firstAfter(slices, depth, at - reach);
  for (let i4 = first; i4 < end && slices.start[i4] <= at + reach; i4++) {
    let distance = Math.max(slices.start[i4] - at, at - slices.start[i4] - slices.duration[i4], 0);
    distance > away || best && distance === away || (away = distance, best = sliceAt(slices, i4, track, depth));
  }
  return best;
}
function laneAt(scene, y4) {
  if (y4 < RULER) return null;
  let at = y4 - RULER + scene.scroll, row = rowsBetween(scene.layout, at, at + 1)[0];
  if (!row?.track) return null;
  let depth = Math.floor((at - row.top - 6 / 2) / 18);
  return depth >= 0 && depth < row.track.lanes ? { track: row.track, depth } : null;
}
function hit(scene, x2, y4) {
  let lane = laneAt(scene, y4);
  if (!lane || !scene.width) return null;
  let time = toTime(x2, scene.view, scene.width), reach = toTime(x2 + REACH, scene.view, scene.width) - time;
  for (let slices of scene.store.layers(lane.track.key, scene.view).reverse())
    if (!(time < slices.window.start || time > slices.window.end))
      return nearest(slices, lane.track, lane.depth, time, reach);
  return null;
}
function neighbour(scene, of2, step2) {
  for (let slices of scene.store.layers(of2.track.key, scene.view).reverse()) {
    let begin = slices.lanes[of2.depth] ?? 0, end = slices.lanes[of2.depth + 1] ?? begin;
    for (let k2 = 0; k2 < end - begin; k2++) {
      let i4 = step2 > 0 ? begin + k2 : end - 1 - k2, start = slices.window.start + slices.start[i4];
      if (step2 > 0 ? start > of2.start || start === of2.start && slices.row[i4] > of2.row : start < of2.start)
        return sliceAt(slices, i4, of2.track, of2.depth);
    }
  }
  return null;
}

// src/timeline/store.ts
var KEPT = 1e3, MARGIN = 0.5, WIDTH_MAX = 8192;
function resolutionOf(view, width) {
  return 2 ** Math.floor(Math.log2(Math.max(1, Math.floor(length(view) / Math.max(1, Math.floor(width))))));
}
function numbers3(answer, name) {
  return answer.tables.slices?.columns[name] ?? [];
}
function slicesOf(answer, asked) {
  let tracks = answer.tables.window_tracks?.columns ?? {}, names = answer.tables.names?.columns.name ?? [], { window_start_ps, window_end_ps, resolution_ps } = answer.summary, of2 = numbers3(answer, "track"), depth = numbers3(answer, "depth"), found = [], at = 0;
  return (tracks.host ?? []).forEach((host2, i4) => {
    let begin = at;
    for (; of2[at] === i4; ) at++;
    let lanes = [0];
    for (let row = begin; row < at; row++) for (; lanes.length <= depth[row]; ) lanes.push(row - begin);
    lanes.push(at - begin);
    let cut = (name) => numbers3(answer, name).slice(begin, at);
    found.push([
      keyOf(String(host2), Number(tracks.track[i4])),
      {
        window: { start: window_start_ps, end: window_end_ps },
        resolution: resolution_ps,
        asked,
        exact: tracks.merged[i4] === 0,
        lanes,
        start: Float64Array.from(cut("start_ps")),
        duration: Float64Array.from(cut("duration_ps")),
        idle: Float64Array.from(cut("idle_ps")),
        name: Int32Array.from(cut("name")),
        count: Float64Array.from(cut("count")),
        row: Float64Array.from(cut("row")),
        names
      }
    ]);
  }), found;
}
function ranges(tracks) {
  let sorted = [...tracks].sort((a4, b4) => a4.host === b4.host ? a4.row - b4.row : a4.host < b4.host ? -1 : 1), parts = [];
  for (let { host: host2, row } of sorted) {
    let before = parts[parts.length - 1];
    before?.host === host2 && before.last === row - 1 ? before.last = row : (before?.host !== host2 || before.last !== row) && parts.push({ host: host2, first: row, last: row });
  }
  return parts.map((p3) => `${keyOf(p3.host, p3.first)}${p3.last > p3.first ? `-${p3.last}` : ""}`).join(",");
}
var Store = class {
  constructor(span) {
    this.span = span;
  }
  span;
  /** The whole capture, coarse: what is drawn where nothing finer is there yet. */
  whole = /* @__PURE__ */ new Map();
  finer = /* @__PURE__ */ new Map();
  put(answer, asked) {
    for (let [key, slices] of slicesOf(answer, asked)) {
      let into = slices.window.start <= this.span.start && slices.window.end >= this.span.end ? this.whole : this.finer;
      into.delete(key), into.set(key, slices);
      for (let old of into.keys()) {
        if (into.size <= KEPT) break;
        into.delete(old);
      }
    }
  }
  /** What there is to draw of a track in a view, the best last. */
  layers(key, view) {
    let whole = this.whole.get(key), finer = this.finer.get(key);
    if (!finer || whole && whole.asked <= finer.asked) return whole ? [whole] : [];
    let covers = finer.window.start <= view.start && finer.window.end >= view.end;
    return !whole || covers ? [finer] : [whole, finer];
  }
  /** Whether a view of a track can be drawn as finely as the screen is. */
  has(key, view, resolution) {
    return [this.whole.get(key), this.finer.get(key)].some(
      (s4) => s4 && s4.window.start <= Math.max(view.start, this.span.start) && s4.window.end >= Math.min(view.end, this.span.end) && (s4.exact || s4.asked <= resolution)
    );
  }
  /** One request for all that the view lacks of these tracks; null when nothing is missing. */
  missing(tracks, view, width) {
    let wanted3 = resolutionOf(view, width), lacking = tracks.filter((track) => track.events && !this.has(track.key, view, wanted3));
    if (!lacking.length || width < 1) return null;
    let margin = MARGIN * length(view), start = Math.floor(Math.max(view.start - margin, this.span.start)), end = Math.max(start + 1, Math.ceil(Math.min(view.end + margin, this.span.end))), pixels = Math.min(WIDTH_MAX, Math.ceil(width * (end - start) / length(view)));
    return { options: { start_ps: String(start), end_ps: String(end), width: String(pixels), tracks: ranges(lacking) }, asked: Math.min(wanted3, resolutionOf({ start, end }, pixels)) };
  }
};

// src/timeline/board.ts
var DEBOUNCE_MS = 70, OPEN_MAX = 300, JUMP_SHARE = 0.2, JUMP_LEAST_PS = 2e5, made = 0, Board = class {
  constructor(api, first, width) {
    this.api = api;
    let summary2 = first.summary;
    this.span = { start: Number(summary2.span_start_ps ?? 0), end: Number(summary2.span_end_ps ?? 1) }, this.origin = this.span.start, this.originNs = summary2.origin_ns === null ? null : String(summary2.origin_ns), this.hostCount = first.hosts.length;
    let { host: host2 = [], offset_ps = [] } = first.tables.hosts?.columns ?? {};
    this.offsets = new Map(host2.map((name, i4) => [String(name), Number(offset_ps[i4])])), this.view = this.span, this.store = new Store(this.span), this.store.put(first, resolutionOf(this.span, width)), this.pages = first.tables.tracks ? [first.tables.tracks] : [], this.processes = processesOf(joined(this.pages), this.hostCount), this.close(), this.layout = layout(this.processes, this.closed), this.listTracks(Number(summary2.track_count ?? 0));
  }
  api;
  id = made++;
  width = 0;
  height = 0;
  view;
  scroll = 0;
  hover = null;
  selected = null;
  range = null;
  needle = "";
  found = /* @__PURE__ */ new Set();
  /** Key of a track → how many hits the search has on it. */
  hits = /* @__PURE__ */ new Map();
  layout;
  processes;
  loading = !1;
  error = null;
  span;
  origin;
  store;
  closed = /* @__PURE__ */ new Set();
  hostCount;
  /** What is added to times that count from a host's own start. */
  offsets;
  originNs;
  pages;
  listeners = /* @__PURE__ */ new Set();
  life = new AbortController();
  flight = null;
  timer = 0;
  frame = 0;
  /** Calls back, at most once a frame, after anything changed. */
  subscribe(listener) {
    return this.listeners.add(listener), () => this.listeners.delete(listener);
  }
  dispose() {
    this.life.abort(), this.flight?.abort.abort(), clearTimeout(this.timer), cancelAnimationFrame(this.frame), this.listeners.clear();
  }
  /** Asks with the clock that all times of this timeline are of. */
  ask(options2, signal = this.life.signal) {
    return this.api.data(
      this.originNs === null || this.hostCount < 2 ? options2 : { ...options2, origin_ns: this.originNs },
      signal
    );
  }
  changed() {
    this.frame || (this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      for (let listener of this.listeners) listener();
    }));
  }
  resize(width, height) {
    if (width === this.width && height === this.height) return;
    let seen = this.selected && this.onScreen(this.selected.track, this.selected.depth);
    this.width = width, this.height = height, this.scrollTo(this.scroll), seen && this.selected && this.reveal(this.selected.track, this.selected.depth);
  }
  look(view) {
    this.view = clamped(view, this.span), this.want();
  }
  zoom(factor, share = 0.5) {
    this.look(zoomed2(this.view, factor, share, this.span));
  }
  pan(share) {
    this.look(panned(this.view, share, this.span));
  }
  scrollTo(top) {
    this.scroll = Math.max(0, Math.min(top, this.layout.height - (this.height - RULER))), this.want();
  }
  search(text2, hits, found) {
    this.needle = text2.toLowerCase(), this.hits = hits, this.found = found, this.changed();
  }
  toggle(process2) {
    this.closed.delete(process2.key) || this.closed.add(process2.key), this.lay();
  }
  /** Brings a track's lane onto the screen, opening its process. */
  reveal(track, depth) {
    let process2 = this.processes.find((p3) => p3.tracks.some((t3) => t3.key === track.key));
    process2 && this.closed.delete(process2.key) && this.lay();
    let row = this.layout.byTrack.get(track.key);
    row && !this.onScreen(track, depth) && this.scrollTo(row.top + depth * 18 - (this.height - RULER) / 3);
  }
  onScreen(track, depth) {
    let row = this.layout.byTrack.get(track.key), top = row ? row.top + depth * 18 : -1;
    return top >= this.scroll && top + 18 + 6 <= this.scroll + this.height - RULER;
  }
  /** Brings a slice onto the screen, large enough to be seen. */
  jump(slice) {
    let end = slice.start + Math.max(slice.duration, JUMP_LEAST_PS), share = (end - slice.start) / (this.view.end - this.view.start);
    (!overlaps(this.view, slice.start, slice.start + Math.max(slice.duration, 1)) || share < 5e-3 || share > 1) && this.look(around(slice.start, end, JUMP_SHARE, this.span)), this.reveal(slice.track, slice.depth);
  }
  /** Zoom to the range, or to the selected slice. */
  fit() {
    this.range ? this.look(this.range) : this.selected && this.look(around(this.selected.start, this.selected.start + this.selected.duration, 0.8, this.span));
  }
  track(key) {
    for (let process2 of this.processes) {
      let found = process2.tracks.find((t3) => t3.key === key);
      if (found) return found;
    }
    return null;
  }
  /** Ask, after a moment of rest, for what the screen lacks. */
  want() {
    this.changed(), clearTimeout(this.timer), this.timer = window.setTimeout(() => this.request(), DEBOUNCE_MS);
  }
  tracksWanted() {
    let room = this.height - RULER;
    return rowsBetween(this.layout, this.scroll - room / 2, this.scroll + 1.5 * room).flatMap(
      (row) => row.track ? [row.track] : []
    );
  }
  request() {
    let request = this.width > 0 && this.height > 0 ? this.store.missing(this.tracksWanted(), this.view, this.width) : null, key = request ? JSON.stringify(request.options) : "";
    key !== (this.flight?.key ?? "") && (this.flight?.abort.abort(), this.flight = request && { key, abort: new AbortController() }, this.loading = request !== null, this.changed(), request && this.receive(request, this.flight.abort.signal));
  }
  async receive(request, signal) {
    try {
      let answer = await this.ask(request.options, signal);
      if (signal.aborted) return;
      this.store.put(answer, request.asked), this.error = null, this.flight = null, this.loading = !1, answer.tables.window_tracks?.columns.track?.length && this.want();
    } catch (reason) {
      if (signal.aborted) return;
      this.error = asApiError(reason), this.loading = !1, this.changed();
    }
  }
  /** The rest of the tracks, where one answer did not hold them all. */
  async listTracks(count2) {
    let listed = this.pages[0]?.columns.track?.length ?? 0;
    for (; listed > 0 && listed < count2 && !this.life.signal.aborted; ) {
      let page = (await this.ask({ tracks_from: String(listed) }).catch(() => null))?.tables.tracks, more = page?.columns.track?.length ?? 0;
      if (!page || !more) return;
      this.pages.push(page), listed += more, this.processes = processesOf(joined(this.pages), this.hostCount), this.lay();
    }
  }
  close() {
    let open = 0;
    for (let process2 of this.processes)
      open += process2.tracks.length, open > OPEN_MAX && process2 !== this.processes[0] && this.closed.add(process2.key);
  }
  lay() {
    this.layout = layout(this.processes, this.closed), this.scrollTo(this.scroll);
  }
};

// src/timeline/ruler.ts
var UNITS = [
  [1e12, "s"],
  [1e9, "ms"],
  [1e6, "µs"],
  [1e3, "ns"],
  [1, "ps"]
], DIGITS_MAX = 7;
function niceStep(least) {
  let power = 10 ** Math.floor(Math.log10(Math.max(least, 1)));
  return ([1, 2, 5, 10].find((n3) => n3 * power >= least * (1 - 1e-9)) ?? 10) * power;
}
function unitOf(time) {
  return UNITS.find(([factor]) => time >= factor) ?? UNITS[UNITS.length - 1];
}
function exactTime(time) {
  let whole = Math.round(time), [factor, symbol] = UNITS.find(([f6]) => Math.abs(whole) >= f6) ?? UNITS[UNITS.length - 1], digits = Math.round(Math.log10(factor)), text2 = Math.abs(whole).toString().padStart(digits + 1, "0"), fraction = digits ? text2.slice(-digits).replace(/0+$/, "") : "";
  return `${whole < 0 ? "-" : ""}${digits ? text2.slice(0, -digits) : text2}${fraction && `.${fraction}`} ${symbol}`;
}
function baseOf(view, step2, origin) {
  let [start, end] = [view.start - origin, view.end - origin];
  if (Math.log10(Math.max(Math.abs(start), Math.abs(end), step2) / step2) < DIGITS_MAX) return 0;
  let round = 10 ** Math.ceil(Math.log10(length(view)));
  return Math.floor(start / round) * round;
}
function ruler(view, width, gap, origin) {
  let step2 = niceStep(length(view) * gap / Math.max(width, 1)), base = baseOf(view, step2, origin), [factor, symbol] = unitOf(Math.max(view.end - origin - base, step2)), decimals = Math.max(0, Math.ceil(Math.log10(factor / step2) - 1e-9)), first = Math.ceil((view.start - origin) / step2), last = Math.floor((view.end - origin) / step2), ticks = [];
  for (let i4 = first; i4 <= last; i4++)
    ticks.push({
      time: origin + i4 * step2,
      label: `${base ? "+" : ""}${((i4 * step2 - base) / factor).toFixed(decimals)} ${symbol}`
    });
  return { base: base ? exactTime(base) : "", step: step2, ticks };
}

// src/timeline/draw.ts
var FONT2 = "11px system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif", TICK_GAP = 110, TEXT_MIN = 20, widths = /* @__PURE__ */ new Map();
function widthOf(ctx, text2) {
  let width = widths.get(text2);
  return width === void 0 && (widths.size > 2e4 && widths.clear(), width = ctx.measureText(text2).width, widths.set(text2, width)), width;
}
function fitting2(ctx, text2, room) {
  let width = widthOf(ctx, text2);
  if (width <= room) return text2;
  let letters = [...text2], count2 = Math.floor(letters.length * (room - 8) / width);
  for (; count2 > 1 && widthOf(ctx, `${letters.slice(0, count2).join("")}…`) > room; ) count2--;
  return count2 < 2 ? "" : `${letters.slice(0, count2).join("")}…`;
}
function drawText(ctx, text2, x2, y4, width) {
  let left = Math.max(x2, 0) + 3, shown = fitting2(ctx, text2, x2 + width - left - 3);
  shown && ctx.fillText(shown, left, y4 + 18 / 2);
}
function opacity(count2, duration, idle) {
  return count2 === 1 || duration === 0 ? 1 : 0.3 + 0.7 * (1 - idle / duration);
}
function drawLane(ctx, scene, inks2, slices, depth, y4) {
  let scale = scene.width / length(scene.view), offset = slices.window.start - scene.view.start, [first, end] = firstAfter(slices, depth, -offset), edge = -1 / 0;
  for (let i4 = first; i4 < end; i4++) {
    let from = (slices.start[i4] + offset) * scale;
    if (from > scene.width) break;
    let left = Math.max(Math.floor(from), -2), right = Math.max(Math.min(Math.ceil(from + slices.duration[i4] * scale), scene.width + 2), left + 1), x2 = Math.max(left, right - left > 3 ? edge + 1 : edge), width = right - x2;
    if (width < 1) continue;
    edge = right;
    let name = slices.names[slices.name[i4]] ?? "", paint = inks2.palette.of(name), dim = isOther(scene, name) ? 0.25 : 1;
    ctx.globalAlpha = dim * opacity(slices.count[i4], slices.duration[i4], slices.idle[i4]), ctx.fillStyle = paint.fill, ctx.fillRect(x2, y4, width, 17), !(width < TEXT_MIN) && (ctx.globalAlpha = dim, ctx.fillStyle = paint.text, drawText(ctx, slices.count[i4] === 1 ? name : `${slices.count[i4]} × ${name}`, x2, y4, width));
  }
  ctx.globalAlpha = 1;
}
function within(ctx, left, right, height, draw2) {
  right <= left || (ctx.save(), ctx.beginPath(), ctx.rect(left, 0, right - left, height), ctx.clip(), draw2(), ctx.restore());
}
function drawTrack(ctx, scene, inks2, row, top) {
  if (!row.track) return;
  let layers = scene.store.layers(row.track.key, scene.view), lanes = (slices) => () => {
    for (let depth = 0; depth < slices.lanes.length - 1; depth++) {
      let y4 = top + 6 / 2 + depth * 18;
      y4 + 18 > RULER && y4 < scene.height && drawLane(ctx, scene, inks2, slices, depth, y4);
    }
  }, [below, above] = layers;
  if (below && above) {
    let left = toX(above.window.start, scene.view, scene.width), right = toX(above.window.end, scene.view, scene.width);
    within(ctx, 0, Math.min(left, scene.width), scene.height, lanes(below)), within(ctx, Math.max(right, 0), scene.width, scene.height, lanes(below)), within(ctx, Math.max(left, 0), Math.min(right, scene.width), scene.height, lanes(above));
  } else below && lanes(below)();
}
function drawRows(ctx, scene, inks2) {
  for (let row of rowsBetween(scene.layout, scene.scroll, scene.scroll + scene.height - RULER)) {
    let top = RULER + row.top - scene.scroll;
    row.track ? drawTrack(ctx, scene, inks2, row, top) : (ctx.fillStyle = inks2.sunken, ctx.fillRect(0, top, scene.width, row.height)), ctx.fillStyle = inks2.line, ctx.fillRect(0, top + row.height - 1, scene.width, 1);
  }
}
function placeOf2(scene, slice) {
  let row = scene.layout.byTrack.get(slice.track.key);
  if (!row) return null;
  let x2 = toX(slice.start, scene.view, scene.width), end = toX(slice.start + slice.duration, scene.view, scene.width), left = Math.max(x2, -4);
  return {
    x: left,
    y: RULER + row.top - scene.scroll + 6 / 2 + slice.depth * 18,
    width: Math.max(Math.min(end, scene.width + 4) - left, 1)
  };
}
function outline(ctx, scene, slice, colour2, thickness) {
  let place = slice && placeOf2(scene, slice);
  if (!place || place.x > scene.width + 4 || place.x + place.width < -4) return;
  ctx.strokeStyle = colour2, ctx.lineWidth = thickness;
  let width = Math.max(place.width, 4);
  ctx.strokeRect(place.x - (width - place.width) / 2 - 0.5, place.y - 0.5, width, 18);
}
function drawGrid(ctx, scene, inks2) {
  ctx.fillStyle = inks2.line, ctx.globalAlpha = 0.5;
  for (let tick of ruler(scene.view, scene.width, TICK_GAP, scene.origin).ticks)
    ctx.fillRect(Math.round(toX(tick.time, scene.view, scene.width)), RULER, 1, scene.height);
  ctx.globalAlpha = 1;
}
function chipOf(ctx, scene, range) {
  let text2 = formatNumber(range.end - range.start, "ps"), width = widthOf(ctx, text2) + 12, middle3 = (toX(range.start, scene.view, scene.width) + toX(range.end, scene.view, scene.width)) / 2;
  return { left: Math.min(Math.max(middle3, width / 2), scene.width - width / 2) - width / 2, width, text: text2 };
}
function drawRuler(ctx, scene, inks2) {
  let { ticks, base } = ruler(scene.view, scene.width, TICK_GAP, scene.origin);
  ctx.fillStyle = inks2.panel, ctx.fillRect(0, 0, scene.width, RULER), ctx.fillStyle = inks2.line, ctx.fillRect(0, RULER - 1, scene.width, 1);
  let chip = scene.range && chipOf(ctx, scene, scene.range), clear = base ? widthOf(ctx, base) + 16 : 0;
  for (let { time, label: label2 } of ticks) {
    let x2 = Math.round(toX(time, scene.view, scene.width));
    ctx.fillStyle = inks2.line, ctx.fillRect(x2, RULER - 7, 1, 6), ctx.fillStyle = inks2.soft;
    let end = x2 + 4 + widthOf(ctx, label2), isCovered = chip !== null && x2 < chip.left + chip.width && end > chip.left;
    x2 >= clear && end <= scene.width && !isCovered && ctx.fillText(label2, x2 + 4, RULER / 2);
  }
  ctx.fillStyle = inks2.text, base && ctx.fillText(base, 4, RULER / 2);
}
function drawRange(ctx, scene, inks2, range) {
  let left = toX(range.start, scene.view, scene.width), right = toX(range.end, scene.view, scene.width);
  ctx.fillStyle = inks2.accent, ctx.globalAlpha = 0.14, ctx.fillRect(left, 0, right - left, scene.height), ctx.globalAlpha = 1;
  for (let x2 of [left, right]) ctx.fillRect(Math.round(x2), 0, 1, scene.height);
  let chip = chipOf(ctx, scene, range);
  ctx.fillRect(chip.left, 3, chip.width, RULER - 7), ctx.fillStyle = inks2.panel, ctx.fillText(chip.text, chip.left + 6, RULER / 2);
}
function draw(ctx, scene, inks2) {
  !scene.width || !scene.height || (ctx.font = FONT2, ctx.textBaseline = "middle", ctx.direction = "ltr", ctx.fillStyle = inks2.panel, ctx.fillRect(0, 0, scene.width, scene.height), drawGrid(ctx, scene, inks2), drawRows(ctx, scene, inks2), outline(ctx, scene, scene.hover, inks2.text, 1), outline(ctx, scene, scene.selected, inks2.accent, 2), drawRuler(ctx, scene, inks2), scene.range && drawRange(ctx, scene, inks2, scene.range));
}

// src/timeline/input.ts
var CLICK_PX = 4, ZOOM_STEP = 1.4, PAN_STEP = 0.15, SCROLL_STEP = 60;
function wheelPixels(event, delta) {
  return event.deltaMode === WheelEvent.DOM_DELTA_LINE ? delta * 20 : event.deltaMode === WheelEvent.DOM_DELTA_PAGE ? delta * 300 : delta;
}
function onWheel(board, event) {
  event.preventDefault();
  let x2 = wheelPixels(event, event.deltaX), y4 = wheelPixels(event, event.deltaY), scrolls = board.layout.height > board.height - RULER;
  event.ctrlKey || event.metaKey || event.offsetY < RULER || !scrolls && Math.abs(y4) > Math.abs(x2) && !event.shiftKey ? board.zoom(1.0025 ** (event.ctrlKey && Math.abs(y4) < 20 ? 4 * y4 : y4), event.offsetX / Math.max(1, board.width)) : event.shiftKey || Math.abs(x2) > Math.abs(y4) ? board.pan((x2 || y4) / Math.max(1, board.width)) : board.scrollTo(board.scroll + y4);
}
function followPointer(canvas, board, actions) {
  let drag = null, listeners2 = {
    pointerdown: (event) => {
      if (event.button !== 0) return;
      let at = { x: event.offsetX, y: event.offsetY, moved: !1, pointer: event.pointerId };
      drag = event.shiftKey || event.offsetY < RULER ? { ...at, kind: "range", from: toTime(at.x, board.view, board.width) } : { ...at, kind: "pan", ...board.view, scroll: board.scroll }, canvas.setPointerCapture(event.pointerId);
    },
    pointermove: (event) => {
      let { offsetX: x2, offsetY: y4 } = event;
      drag && (drag.moved || Math.hypot(x2 - drag.x, y4 - drag.y) > CLICK_PX) ? (drag.moved = !0, board.hover = null, dragged(board, drag, x2, y4)) : drag || (board.hover = hit(board, x2, y4), canvas.style.cursor = y4 < RULER ? "col-resize" : board.hover ? "pointer" : "default", board.changed());
    },
    pointerup: (event) => {
      drag && !drag.moved && (drag.kind === "range" && (board.range = null), actions.choose(hit(board, event.offsetX, event.offsetY))), drag = null, board.changed();
    },
    pointercancel: () => drag = null,
    pointerleave: () => {
      board.hover = null, board.changed();
    },
    dblclick: (event) => {
      let slice = hit(board, event.offsetX, event.offsetY);
      slice && (board.range = null, board.selected = slice, board.fit());
    }
  };
  for (let [name, listener] of Object.entries(listeners2)) canvas.addEventListener(name, listener);
  return () => {
    for (let [name, listener] of Object.entries(listeners2))
      canvas.removeEventListener(name, listener);
  };
}
function dragged(board, drag, x2, y4) {
  if (drag.kind === "range") {
    let to2 = toTime(Math.min(Math.max(x2, 0), board.width), board.view, board.width);
    board.range = { start: Math.min(drag.from, to2), end: Math.max(drag.from, to2) }, board.changed();
    return;
  }
  let by = (drag.x - x2) / Math.max(1, board.width) * (drag.end - drag.start);
  board.look({ start: drag.start + by, end: drag.end + by }), board.scrollTo(drag.scroll + drag.y - y4);
}
function middle2(board) {
  for (let y4 = RULER + 12; y4 < board.height; y4 += 9)
    for (let share of [0.5, 0.25, 0.75, 0.1, 0.9]) {
      let slice = hit(board, share * board.width, y4);
      if (slice) return slice;
    }
  return null;
}
function step(board, actions, by) {
  let next2 = board.selected ? neighbour(board, board.selected, by) : middle2(board);
  next2 && (actions.choose(next2), board.jump(next2));
}
var KEYS3 = [
  ["W S", "zoom in, out (also + −, Ctrl wheel)"],
  ["A D ← →", "move left, right (also Shift wheel, drag)"],
  ["↑ ↓", "scroll the tracks (also wheel, drag)"],
  [", .", "select the slice before, after on its lane"],
  ["Enter", "in the search: next hit; Shift Enter: the one before"],
  ["F", "zoom to the range or the selected slice"],
  ["0 Home", "show the whole capture"],
  ["Shift drag", "measure a range (also drag on the ruler)"],
  ["Esc", "drop the range, then the selection"],
  ["double click", "zoom to a slice"]
];
function escape(board, actions) {
  board.range ? board.range = null : actions.choose(null), board.changed();
}
function onKey(board, event, actions) {
  let act = {
    w: () => board.zoom(1 / ZOOM_STEP),
    "+": () => board.zoom(1 / ZOOM_STEP),
    "=": () => board.zoom(1 / ZOOM_STEP),
    s: () => board.zoom(ZOOM_STEP),
    "-": () => board.zoom(ZOOM_STEP),
    a: () => board.pan(-PAN_STEP),
    arrowleft: () => board.pan(-PAN_STEP),
    d: () => board.pan(PAN_STEP),
    arrowright: () => board.pan(PAN_STEP),
    arrowup: () => board.scrollTo(board.scroll - SCROLL_STEP),
    arrowdown: () => board.scrollTo(board.scroll + SCROLL_STEP),
    pageup: () => board.scrollTo(board.scroll - board.height),
    pagedown: () => board.scrollTo(board.scroll + board.height),
    ",": () => step(board, actions, -1),
    ".": () => step(board, actions, 1),
    f: () => board.fit(),
    0: () => board.look(board.span),
    home: () => board.look(board.span),
    "/": () => actions.search(),
    escape: () => escape(board, actions)
  }[event.key.toLowerCase()];
  return act?.(), act !== void 0;
}

// src/timeline/palette.ts
var CATEGORIES2 = [
  [/memcpy|memset|copy-(start|done)|transferto|bufferfromhost/i, "--copy"],
  [/nccl|rccl|all-?reduce|all-?gather|reduce-?scatter|all-?to-?all|collective/i, "--collective"],
  [/^iterator|iteratorgetnext|infeed|^tfdata/i, "--input"],
  [/compil/i, "--compile"],
  [/launchkernel|kernellaunch|graphlaunch/i, "--launch"],
  [/^\$/, "--python"]
];
function categoryOfName(name) {
  return CATEGORIES2.find(([word]) => word.test(name))?.[1] ?? null;
}
var HUES = 24;
function hueOf(name) {
  let hash = 2166136261;
  for (let letter of name.slice(0, 200).replace(/\d+/g, ""))
    hash = Math.imul(hash ^ letter.codePointAt(0), 16777619);
  return (hash >>> 0) % HUES * (360 / HUES);
}
function channel(linear) {
  let value = linear <= 31308e-7 ? 12.92 * linear : 1.055 * linear ** 0.4166666666666667 - 0.055;
  return Math.round(255 * Math.min(1, Math.max(0, value))).toString(16).padStart(2, "0");
}
function oklch(lightness, chroma, hue) {
  let a4 = chroma * Math.cos(hue * Math.PI / 180), b4 = chroma * Math.sin(hue * Math.PI / 180), l3 = (lightness + 0.3963377774 * a4 + 0.2158037573 * b4) ** 3, m3 = (lightness - 0.1055613458 * a4 - 0.0638541728 * b4) ** 3, s4 = (lightness - 0.0894841775 * a4 - 1.291485548 * b4) ** 3, red = 4.0767416621 * l3 - 3.3077115913 * m3 + 0.2309699292 * s4, green = -1.2684380046 * l3 + 2.6097574011 * m3 - 0.3413193965 * s4, blue = -0.0041960863 * l3 - 0.7034186147 * m3 + 1.707614701 * s4;
  return `#${channel(red)}${channel(green)}${channel(blue)}`;
}
var CHROMA = 0.09, Palette = class {
  constructor(dark, variable) {
    this.variable = variable;
    this.lightness = dark ? 0.72 : 0.8;
  }
  variable;
  paints = /* @__PURE__ */ new Map();
  lightness;
  of(name) {
    let paint = this.paints.get(name);
    return paint || (this.paints.size > 5e4 && this.paints.clear(), paint = this.mixed(name), this.paints.set(name, paint)), paint;
  }
  mixed(name) {
    let category = categoryOfName(name);
    return category ? { fill: this.variable(category), text: this.variable(`${category}-text`) } : { fill: oklch(this.lightness, CHROMA, hueOf(name)), text: "#000000" };
  }
};

// src/timeline/canvas.tsx
function inks() {
  let dark = document.documentElement.dataset.theme === "dark", [panel, sunken, line, text2, soft, accent] = [
    "--panel",
    "--sunken",
    "--line",
    "--text",
    "--soft",
    "--accent"
  ].map(colour);
  return { palette: new Palette(dark, colour), panel, sunken, line, text: text2, soft, accent };
}
function follow(canvas, board) {
  let ink = inks(), paint = () => {
    let ratio = window.devicePixelRatio || 1, [width, height] = [Math.round(board.width * ratio), Math.round(board.height * ratio)];
    (canvas.width !== width || canvas.height !== height) && ([canvas.width, canvas.height] = [width, height]);
    let ctx = canvas.getContext("2d", { alpha: !1 });
    ctx && (ctx.setTransform(ratio, 0, 0, ratio, 0, 0), draw(ctx, board, ink));
  }, size = new ResizeObserver(() => board.resize(canvas.clientWidth, canvas.clientHeight));
  size.observe(canvas), board.resize(canvas.clientWidth, canvas.clientHeight);
  let ends = [
    board.subscribe(paint),
    onTheme(() => {
      ink = inks(), board.changed();
    }),
    () => size.disconnect()
  ];
  return () => ends.forEach((end) => end());
}
function summary(board) {
  let { start, end } = board.view, tracks = board.processes.reduce((sum, p3) => sum + p3.tracks.length, 0), chosen = board.selected ? ` Selected: ${board.selected.name}, ${formatNumber(board.selected.duration, "ps")}.` : "";
  return `Timeline of ${counted(tracks, "track")}: ${formatNumber(end - start, "ps")} from ${formatNumber(start - board.origin, "ps")} on.${chosen} Press ? for the keys.`;
}
function Canvas({ board, actions }) {
  let canvas = T2(null);
  return A2(() => follow(canvas.current, board), [board]), A2(() => followPointer(canvas.current, board, actions), [board, actions]), A2(() => {
    let element = canvas.current, wheel = (event) => onWheel(board, event);
    return element.addEventListener("wheel", wheel, { passive: !1 }), () => element.removeEventListener("wheel", wheel);
  }, [board]), /* @__PURE__ */ a3("canvas", { ref: canvas, class: "trace-canvas", role: "img", tabIndex: 0, "aria-label": summary(board) });
}
function useBoard(board) {
  let [, again] = d2(0);
  A2(() => board.subscribe(() => again((n3) => n3 + 1)), [board]);
}

// src/timeline/details.tsx
var SHOWN = 2e3;
function factsOf(answer) {
  let { group = [], key = [], value = [] } = answer.tables.event?.columns ?? {};
  return key.map((name, i4) => ({ group: String(group[i4]), key: String(name), value: String(value[i4]) }));
}
function sliceOf(board, facts) {
  let of2 = (key) => facts.find((f6) => f6.group === "event" && f6.key === key)?.value ?? "", track = board.track(keyOf(of2("host"), Number(of2("track"))));
  return track && {
    track,
    depth: Number(of2("depth")),
    start: Number(of2("start_ps")),
    duration: Number(of2("duration_ps")),
    idle: 0,
    name: of2("name"),
    count: 1,
    row: Number(of2("row"))
  };
}
function useFacts(board, slice) {
  let [found, setFound] = d2({
    key: "",
    facts: null,
    error: null
  }), key = keyOf(slice.track.host, slice.row);
  return A2(() => {
    let abort = new AbortController();
    if (!(slice.count > 1))
      return board.ask({ event: key }, abort.signal).then(
        (answer) => setFound({ key, facts: factsOf(answer), error: null }),
        (reason) => !abort.signal.aborted && setFound({ key, facts: null, error: asApiError(reason) })
      ), () => abort.abort();
  }, [board, key, slice.count]), found.key === key ? [found.facts, found.error] : [null, null];
}
function Value({ text: text2 }) {
  let [whole, setWhole] = d2(!1);
  return whole || text2.length <= SHOWN ? /* @__PURE__ */ a3($, { children: text2 }) : /* @__PURE__ */ a3($, { children: [
    text2.slice(0, SHOWN),
    "…",
    " ",
    /* @__PURE__ */ a3("button", { type: "button", class: "link", onClick: () => setWhole(!0), children: [
      "all ",
      text2.length.toLocaleString("en-US"),
      " characters"
    ] })
  ] });
}
var TIMES = ["start_ps", "duration_ps", "self_ps"], LINKS = ["parent", "launch", "kernel"], HIDDEN = ["name", "host", "process", "track", "track_name", "row", "depth"];
function FactValue({ board, host: host2, fact, open }) {
  if (fact.group === "event" && TIMES.includes(fact.key)) {
    let value = fact.key === "start_ps" ? Number(fact.value) - board.origin : Number(fact.value);
    return /* @__PURE__ */ a3("span", { title: exactValue(value, "ps"), children: fact.key === "start_ps" ? exactTime(value) : formatNumber(value, "ps") });
  }
  if (fact.group === "event" && LINKS.includes(fact.key)) {
    let at = fact.value.indexOf(" ");
    return /* @__PURE__ */ a3("button", { type: "button", class: "link", onClick: () => open(keyOf(host2, Number(fact.value.slice(0, at)))), children: /* @__PURE__ */ a3(Name, { text: fact.value.slice(at + 1) || "(no name)" }) });
  }
  return /* @__PURE__ */ a3(Value, { text: fact.value });
}
function Facts2({ title, facts, ...more }) {
  return facts.length ? /* @__PURE__ */ a3("section", { "aria-label": title, children: [
    /* @__PURE__ */ a3("h3", { children: title }),
    /* @__PURE__ */ a3("dl", { children: facts.map((fact, i4) => /* @__PURE__ */ a3("div", { children: [
      /* @__PURE__ */ a3("dt", { title: fact.key, children: fact.key.replace(/_ps$/, "").replaceAll("_", " ") }),
      /* @__PURE__ */ a3("dd", { children: /* @__PURE__ */ a3(FactValue, { ...more, fact }) })
    ] }, i4)) })
  ] }) : null;
}
function Merged({ board, slice }) {
  let busy = slice.duration ? `, ${percent(1 - slice.idle / slice.duration)} of it busy` : "";
  return /* @__PURE__ */ a3("p", { children: [
    counted(slice.count, "event"),
    " in ",
    formatNumber(slice.duration, "ps"),
    busy,
    ", each too short to be drawn alone here.",
    " ",
    /* @__PURE__ */ a3("button", { type: "button", onClick: () => board.fit(), children: "Zoom in (F)" })
  ] });
}
function copied(slice, facts) {
  return [slice.name, ...(facts ?? []).map((f6) => `${f6.key}	${f6.value}`)].join(`
`);
}
function Details({
  board,
  slice,
  open,
  close
}) {
  let [facts, error] = useFacts(board, slice), more = { board, host: slice.track.host, open }, of2 = (group) => (facts ?? []).filter((f6) => f6.group === group && !(group === "event" && HIDDEN.includes(f6.key)));
  return /* @__PURE__ */ a3("section", { class: "trace-details", "aria-label": "Selected slice", "aria-live": "polite", children: [
    /* @__PURE__ */ a3("header", { children: [
      /* @__PURE__ */ a3("h2", { children: /* @__PURE__ */ a3(Name, { text: slice.count > 1 ? `mostly ${slice.name}` : slice.name || "(no name)" }) }),
      /* @__PURE__ */ a3("span", { class: "soft", children: slice.track.name }),
      /* @__PURE__ */ a3("span", { class: "grow" }),
      slice.count === 1 && /* @__PURE__ */ a3("button", { type: "button", onClick: () => board.fit(), title: "F", children: "Zoom to it" }),
      /* @__PURE__ */ a3("button", { type: "button", onClick: () => {
        copyText(copied(slice, facts));
      }, children: "Copy" }),
      /* @__PURE__ */ a3("button", { type: "button", onClick: close, "aria-label": "Close", title: "Esc", children: "×" })
    ] }),
    error && /* @__PURE__ */ a3(Failure, { error }),
    slice.count > 1 ? /* @__PURE__ */ a3(Merged, { board, slice }) : /* @__PURE__ */ a3("div", { class: "trace-facts", children: [
      /* @__PURE__ */ a3(Facts2, { ...more, title: "Timing", facts: of2("event") }),
      /* @__PURE__ */ a3(Facts2, { ...more, title: "Stats", facts: of2("stat") }),
      /* @__PURE__ */ a3(Facts2, { ...more, title: "Stats of its kind", facts: of2("kind") })
    ] })
  ] });
}

// src/timeline/hits.tsx
var DEBOUNCE_MS2 = 250, NONE = { total: 0, slices: [], at: -1, error: "" };
function hitsOf(board, answer) {
  let c4 = answer.tables.hits?.columns ?? {};
  return (c4.row ?? []).flatMap((row, i4) => {
    let track = board.track(keyOf(String(c4.host[i4]), Number(c4.track[i4])));
    return track ? [
      {
        track,
        depth: Number(c4.depth[i4]),
        start: Number(c4.start_ps[i4]),
        duration: Number(c4.duration_ps[i4]),
        idle: 0,
        name: String(c4.name[i4]),
        count: 1,
        row: Number(row)
      }
    ] : [];
  });
}
function countsOf(answer) {
  let c4 = answer.tables.hit_tracks?.columns ?? {};
  return new Map(
    (c4.hits ?? []).map((hits, i4) => [keyOf(String(c4.host[i4]), Number(c4.track[i4])), Number(hits)])
  );
}
function options({ text: text2, regex }, offset) {
  return { search: text2, offset: String(offset), ...regex ? { regex: "true" } : {} };
}
function useHits(board, search2, choose) {
  let [hits, setHits] = d2(null), latest = T2(null);
  latest.current = hits, A2(() => {
    board.search(search2.regex ? "" : search2.text, /* @__PURE__ */ new Map(), /* @__PURE__ */ new Set());
    let abort = new AbortController();
    search2.text || setHits(null);
    let timer = setTimeout(() => {
      search2.text && board.ask(options(search2, 0), abort.signal).then(
        (answer) => {
          let slices = hitsOf(board, answer);
          board.search(search2.regex ? "" : search2.text, countsOf(answer), new Set(slices.map((slice) => slice.name))), setHits({ ...NONE, total: Number(answer.summary.hit_count), slices });
        },
        (reason) => !abort.signal.aborted && setHits({ ...NONE, error: asApiError(reason).message })
      );
    }, DEBOUNCE_MS2);
    return () => {
      clearTimeout(timer), abort.abort();
    };
  }, [board, search2.text, search2.regex]);
  let load = b(async () => {
    let old = latest.current;
    if (!old || old.slices.length >= old.total) return old;
    let answer = await board.ask(options(search2, old.slices.length)).catch(() => null);
    if (!answer || latest.current !== old) return latest.current;
    let next2 = { ...old, slices: [...old.slices, ...hitsOf(board, answer)] };
    return setHits(next2), next2;
  }, [board, search2.text, search2.regex]), show = b(
    async (at) => {
      let held = at < (latest.current?.slices.length ?? 0) ? latest.current : await load(), slice = held?.slices[at];
      !held || !slice || (setHits({ ...held, at }), choose(slice));
    },
    [load, choose]
  ), step2 = b(
    (by) => {
      let held = latest.current;
      if (!held?.total) return;
      let at = held.at + by;
      show(at < 0 ? held.slices.length - 1 : at >= held.total ? 0 : at);
    },
    [show]
  );
  return { hits, step: step2, show: (at) => {
    show(at);
  }, more: () => {
    load();
  } };
}
function count(hits) {
  return !hits || hits.error ? "" : hits.total ? hits.at < 0 ? counted(hits.total, "hit") : `${grouped(hits.at + 1)} of ${grouped(hits.total)}` : "no hits";
}
function SearchBox({ search: search2, change, searching }) {
  let onKeyDown = (event) => {
    let box = event.currentTarget;
    if (event.key === "Enter") searching.step(event.shiftKey ? -1 : 1);
    else if (event.key === "Escape") box.blur();
    else return;
    event.preventDefault(), event.stopPropagation();
  }, none = !searching.hits?.total;
  return /* @__PURE__ */ a3("div", { class: "trace-search", role: "search", children: [
    /* @__PURE__ */ a3(
      "input",
      {
        type: "search",
        value: search2.text,
        placeholder: "Find events  /",
        "aria-label": "Find events by name or op",
        spellcheck: !1,
        "aria-invalid": !!searching.hits?.error,
        onInput: (event) => change({ ...search2, text: event.currentTarget.value }),
        onKeyDown
      }
    ),
    /* @__PURE__ */ a3(
      "button",
      {
        type: "button",
        "aria-pressed": search2.regex,
        title: "Regular expression",
        onClick: () => change({ ...search2, regex: !search2.regex }),
        children: ".*"
      }
    ),
    /* @__PURE__ */ a3(
      "button",
      {
        type: "button",
        disabled: none,
        "aria-label": "Hit before",
        title: "Shift Enter",
        onClick: () => searching.step(-1),
        children: "↑"
      }
    ),
    /* @__PURE__ */ a3("button", { type: "button", disabled: none, "aria-label": "Next hit", title: "Enter", onClick: () => searching.step(1), children: "↓" }),
    /* @__PURE__ */ a3("span", { class: "soft", role: "status", children: count(searching.hits) })
  ] });
}
function HitList({ board, searching, close }) {
  let { hits, show, more } = searching;
  if (!hits) return null;
  let left = hits.total - hits.slices.length;
  return /* @__PURE__ */ a3("section", { class: "trace-hits", "aria-label": "Hits", children: [
    /* @__PURE__ */ a3("header", { children: [
      /* @__PURE__ */ a3("h2", { children: count(hits) || "Search" }),
      /* @__PURE__ */ a3("span", { class: "grow" }),
      /* @__PURE__ */ a3("button", { type: "button", onClick: close, "aria-label": "End the search", children: "×" })
    ] }),
    hits.error && /* @__PURE__ */ a3("p", { role: "alert", children: hits.error }),
    /* @__PURE__ */ a3("ol", { children: hits.slices.map((slice, i4) => /* @__PURE__ */ a3("li", { children: /* @__PURE__ */ a3(
      "button",
      {
        type: "button",
        "aria-current": i4 === hits.at,
        onClick: () => show(i4),
        title: `${slice.name}
${slice.track.name}`,
        children: [
          /* @__PURE__ */ a3("span", { class: "number", children: exactTime(slice.start - board.origin) }),
          /* @__PURE__ */ a3(Name, { text: slice.name }),
          /* @__PURE__ */ a3("span", { class: "number", children: formatNumber(slice.duration, "ps") })
        ]
      }
    ) }, i4)) }),
    left > 0 && /* @__PURE__ */ a3("button", { type: "button", onClick: more, children: [
      grouped(left),
      " more"
    ] })
  ] });
}

// src/timeline/labels.tsx
function Header({ board, process: process2, top }) {
  let open = !board.closed.has(process2.key), filled = process2.tracks.filter((t3) => t3.events).length;
  return /* @__PURE__ */ a3(
    "button",
    {
      type: "button",
      class: "trace-process",
      style: { top: `${top}px` },
      "aria-expanded": open,
      onClick: () => board.toggle(process2),
      children: [
        /* @__PURE__ */ a3("span", { "aria-hidden": "true", children: open ? "▾" : "▸" }),
        " ",
        /* @__PURE__ */ a3(Name, { text: process2.name || "(no name)" }),
        /* @__PURE__ */ a3("span", { class: "soft", children: process2.events ? `${counted(filled, "track")}, ${counted(process2.events, "event")}` : "no events" })
      ]
    }
  );
}
var THREAD_ID = /^(.+)\/-?(\d+)$/, ID_DIGITS = 4;
function TrackName({ name, title }) {
  let [, pool, id] = THREAD_ID.exec(name) ?? [];
  return !pool || !id ? /* @__PURE__ */ a3(Name, { text: name, title }) : /* @__PURE__ */ a3($, { children: [
    /* @__PURE__ */ a3(Name, { text: pool, title }),
    /* @__PURE__ */ a3("span", { class: "soft trace-id", title, children: id.length > ID_DIGITS + 1 ? `…${id.slice(-ID_DIGITS)}` : id })
  ] });
}
function Label({ row, top, hits }) {
  let { track } = row, name = track.name || `track ${track.row}`, inner = Math.max(4, Math.min(4 - top, row.height - 18));
  return /* @__PURE__ */ a3("div", { class: "trace-label", style: { top: `${top}px`, height: `${row.height}px`, paddingTop: `${inner}px` }, children: [
    /* @__PURE__ */ a3(TrackName, { name, title: `${name}
${track.kind}, ${counted(track.events, "event")}` }),
    hits > 0 && /* @__PURE__ */ a3("mark", { title: counted(hits, "hit"), children: formatNumber(hits, "count") })
  ] });
}
function Labels({ board }) {
  let rows2 = rowsBetween(board.layout, board.scroll, board.scroll + Math.max(0, board.height - RULER));
  return /* @__PURE__ */ a3("div", { class: "trace-labels", children: rows2.map((row) => {
    let top = row.top - board.scroll;
    return row.track ? /* @__PURE__ */ a3(Label, { row, top, hits: board.hits.get(row.track.key) ?? 0 }, row.track.key) : /* @__PURE__ */ a3(Header, { board, process: row.process, top }, row.process.key);
  }) });
}
function ScrollBar({ board }) {
  let bar = T2(null);
  return A2(() => {
    bar.current && Math.abs(bar.current.scrollTop - board.scroll) > 1 && (bar.current.scrollTop = board.scroll);
  }), /* @__PURE__ */ a3(
    "div",
    {
      ref: bar,
      class: "trace-bar",
      tabIndex: -1,
      "aria-hidden": "true",
      onScroll: (event) => board.scrollTo(event.currentTarget.scrollTop),
      children: /* @__PURE__ */ a3("div", { style: { height: `${board.layout.height}px` } })
    }
  );
}

// src/timeline/tooltip.tsx
var ROOM2 = 420;
function Tooltip({ board }) {
  let slice = board.hover, place = slice && placeOf2(board, slice);
  if (!slice || !place) return null;
  let left = Math.max(4, Math.min(place.x + Math.min(place.width / 2, 40), board.width - ROOM2)), below = place.y + 18 + 4, style = below > board.height - 88 ? { left: `${left}px`, bottom: `${board.height - place.y + 4}px` } : { left: `${left}px`, top: `${below}px` };
  return /* @__PURE__ */ a3("div", { class: "trace-tip", style, role: "tooltip", children: [
    /* @__PURE__ */ a3("p", { class: "name", children: slice.count === 1 ? slice.name : `${counted(slice.count, "event")}, mostly ${slice.name}` }),
    /* @__PURE__ */ a3("p", { children: [
      /* @__PURE__ */ a3("b", { title: exactValue(slice.duration, "ps"), children: slice.duration ? formatNumber(slice.duration, "ps") : "an instant" }),
      slice.count > 1 && slice.duration > 0 && /* @__PURE__ */ a3($, { children: [
        " · busy ",
        percent(1 - slice.idle / slice.duration)
      ] }),
      /* @__PURE__ */ a3("span", { class: "soft", children: [
        " · at ",
        exactTime(slice.start - board.origin)
      ] })
    ] })
  ] });
}

// src/tools/trace_viewer.tsx
var keys4 = KEYS3, ADDRESS_MS = 300, SCROLLS = /^(Arrow|Page|Home)/;
function viewOf2(start, end, offset) {
  let view = { start: Number(start ?? NaN) + offset, end: Number(end ?? NaN) + offset };
  return view.end > view.start ? view : null;
}
function placesOf(params, board) {
  let offset = board.offsets.get(params.clock ?? "") ?? 0, [, from, to2] = /^(-?\d+)-(-?\d+)$/.exec(params.range ?? "") ?? [];
  return { view: viewOf2(params.start_ps, params.end_ps, offset), range: viewOf2(from, to2, offset) };
}
function paramsOf(board, search2) {
  let params = {};
  return (board.view.start !== board.span.start || board.view.end !== board.span.end) && (params.start_ps = String(Math.floor(board.view.start)), params.end_ps = String(Math.ceil(board.view.end))), board.range && (params.range = `${Math.round(board.range.start)}-${Math.round(board.range.end)}`), board.selected?.count === 1 && (params.event = keyOf(board.selected.track.host, board.selected.row)), search2.text && (params.search = search2.text), search2.text && search2.regex && (params.regex = "true"), params;
}
function same(a4, b4) {
  return JSON.stringify(Object.entries(a4).sort()) === JSON.stringify(Object.entries(b4).sort());
}
function useAddress({ selection, navigate }, board, search2, setSearch, open) {
  let written = T2({});
  A2(() => {
    let params = ownParams(selection.params);
    if (same(params, written.current)) return;
    written.current = params;
    let { view, range } = placesOf(params, board);
    board.range = range, board.look(view ?? board.span), setSearch({ text: params.search ?? "", regex: params.regex === "true" }), params.event && open(params.event, view === null);
  }, [board, selection.params]), A2(() => {
    let timer = 0, write2 = () => {
      let params = paramsOf(board, search2);
      same(params, written.current) || (written.current = params, navigate({ params }, "replace"));
    }, later = () => {
      clearTimeout(timer), timer = window.setTimeout(write2, ADDRESS_MS);
    }, end = board.subscribe(later);
    return later(), () => {
      end(), clearTimeout(timer);
    };
  }, [board, search2, navigate]);
}
function useKeys(board, actions) {
  A2(() => {
    let listen = (event) => {
      let target = event.target instanceof Element ? event.target : null;
      event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || target?.closest("input, textarea, select, dialog, [role=listbox], .top-bar") || target?.closest(".trace-drawer") && SCROLLS.test(event.key) || onKey(board, event, actions) && event.preventDefault();
    };
    return document.addEventListener("keydown", listen), () => document.removeEventListener("keydown", listen);
  }, [board, actions]);
}
function State({ board }) {
  let { start, end } = board.view;
  return /* @__PURE__ */ a3("span", { class: "trace-state soft", title: `${exactTime(start - board.origin)} to ${exactTime(end - board.origin)}`, children: [
    formatNumber(end - start, "ps"),
    " of ",
    formatNumber(board.span.end - board.span.start, "ps"),
    /* @__PURE__ */ a3("span", { role: "status", children: board.loading ? " · reading…" : "" })
  ] });
}
function ZoomButtons({ board }) {
  return /* @__PURE__ */ a3("span", { class: "trace-zoom", children: [
    /* @__PURE__ */ a3("button", { type: "button", title: "W", "aria-label": "Zoom in", onClick: () => board.zoom(1 / 2), children: "+" }),
    /* @__PURE__ */ a3("button", { type: "button", title: "S", "aria-label": "Zoom out", onClick: () => board.zoom(2), children: "−" }),
    /* @__PURE__ */ a3("button", { type: "button", title: "0", onClick: () => board.look(board.span), children: "Whole" })
  ] });
}
function Trace({ page, answer, board }) {
  useBoard(board);
  let [search2, setSearch] = d2({ text: "", regex: !1 }), choose = b(
    (slice) => {
      board.selected = slice, board.changed();
    },
    [board]
  ), open = b(
    async (event, jump = !0) => {
      let answer2 = await board.ask({ event }).catch(() => null), slice = answer2 && sliceOf(board, factsOf(answer2));
      slice && (choose(slice), jump ? board.jump(slice) : board.reveal(slice.track, slice.depth));
    },
    [board, choose]
  ), found = b(
    (slice) => {
      choose(slice), board.jump(slice);
    },
    [board, choose]
  ), searching = useHits(board, search2, found), actions = w2(
    () => ({
      choose,
      search: () => document.querySelector(".trace-search input")?.focus()
    }),
    [choose]
  );
  useAddress(page, board, search2, setSearch, (event, jump) => {
    open(event, jump);
  }), useKeys(board, actions);
  let drawer = board.selected || searching.hits;
  return /* @__PURE__ */ a3("div", { class: "trace", children: [
    /* @__PURE__ */ a3("div", { class: "trace-tools", children: [
      /* @__PURE__ */ a3(SearchBox, { search: search2, change: setSearch, searching }),
      /* @__PURE__ */ a3("span", { class: "grow" }),
      /* @__PURE__ */ a3(State, { board }),
      /* @__PURE__ */ a3(ZoomButtons, { board })
    ] }),
    answer.findings.map((finding) => /* @__PURE__ */ a3("p", { class: "trace-note", children: finding.title }, finding.title)),
    board.error && /* @__PURE__ */ a3(Failure, { error: board.error }),
    /* @__PURE__ */ a3("div", { class: "trace-board", children: [
      /* @__PURE__ */ a3("div", { class: "trace-corner soft", children: [
        grouped(Number(answer.summary.event_count)),
        " events"
      ] }),
      /* @__PURE__ */ a3(Labels, { board }),
      /* @__PURE__ */ a3("div", { class: "trace-area", children: [
        /* @__PURE__ */ a3(Canvas, { board, actions }),
        /* @__PURE__ */ a3(Tooltip, { board })
      ] }),
      /* @__PURE__ */ a3(ScrollBar, { board })
    ] }),
    drawer && /* @__PURE__ */ a3("div", { class: "trace-drawer", children: [
      /* @__PURE__ */ a3(HitList, { board, searching, close: () => setSearch({ ...search2, text: "" }) }),
      !board.selected && /* @__PURE__ */ a3("p", { class: "soft trace-hint", children: "Choose a hit, or press Enter, to see all that is known of it." }),
      board.selected && /* @__PURE__ */ a3(
        Details,
        {
          board,
          slice: board.selected,
          open: (event) => {
            open(event);
          },
          close: () => choose(null)
        }
      )
    ] })
  ] });
}
function Loaded({ page, answer, width }) {
  let [board, setBoard] = d2(null);
  return A2(() => {
    let made2 = new Board(page.api, answer, width);
    return setBoard(made2), () => made2.dispose();
  }, [answer]), answer.summary.event_count ? board && /* @__PURE__ */ a3(Trace, { page, answer, board }, board.id) : /* @__PURE__ */ a3("section", { class: "empty", children: [
    /* @__PURE__ */ a3("h1", { children: "No event has a time" }),
    /* @__PURE__ */ a3("p", { children: [
      answer.unknown.span_start_ps,
      ". See the quality mark at the top for what the file held."
    ] })
  ] });
}
function TraceViewer(page) {
  let [width] = d2(() => window.innerWidth > 400 ? Math.ceil(window.innerWidth / 100) * 100 : 1200), asked = useAnswer(page.api, { width: String(width) });
  return /* @__PURE__ */ a3("div", { class: "trace-page", children: /* @__PURE__ */ a3(Shown, { asked, children: (answer) => /* @__PURE__ */ a3(Loaded, { page, answer, width }) }) });
}

// pages:pages
var PAGES = { input_pipeline: input_pipeline_exports, overview: overview_exports, pod_viewer: pod_viewer_exports, trace_viewer: trace_viewer_exports };

// src/address.ts
var PLUGIN = "perfplugin", PREFIX = `p.${PLUGIN}.`;
function decode(text2) {
  try {
    return decodeURIComponent(text2);
  } catch {
    return text2;
  }
}
function hostList(text2) {
  return text2 ? text2.split(",").map(decode) : [];
}
function parseHash(hash) {
  let selection = { run: "", hosts: [], tool: "", params: {} };
  for (let part of hash.replace(/^#/, "").split("&")) {
    let at = part.indexOf("=");
    if (at < 0 || !part.startsWith(PREFIX)) continue;
    let name = decode(part.slice(PREFIX.length, at)), value = decode(part.slice(at + 1));
    name === "run" ? selection.run = value : name === "tool" ? selection.tool = value : name === "host" ? selection.hosts = hostList(value) : selection.params[name] = value;
  }
  return selection;
}
function formatHash(selection, old = "") {
  let others = old.replace(/^#/, "").split("&").filter((part) => part.includes("=") && !part.startsWith(PREFIX)), parts = [
    ["run", selection.run],
    ["host", selection.hosts.map(encodeURIComponent).join(",")],
    ["tool", selection.tool],
    ...Object.entries(selection.params)
  ].filter(([, value]) => value).map(([k2, v4]) => `${PREFIX}${encodeURIComponent(k2)}=${encodeURIComponent(v4)}`);
  return `#${[PLUGIN, ...others, ...parts].join("&")}`;
}
function isOurs(hash) {
  let tab = hash.replace(/^#/, "").split("&").find((part) => part && !part.includes("="));
  return tab === void 0 || tab === PLUGIN;
}

// src/state.ts
function write(selection, how) {
  let hash = formatHash(selection, outer.location.hash);
  hash !== outer.location.hash && (how === "push" ? outer.history.pushState(outer.history.state, "", hash) : outer.history.replaceState(outer.history.state, "", hash));
}
var EVENTS = ["hashchange", "popstate"];
function follow2(current2, accept) {
  let listen = () => {
    let { hash } = outer.location;
    if (!isOurs(hash) || !isShown()) return;
    let read = parseHash(hash);
    !read.run && !read.tool ? write(current2(), "replace") : formatHash(read) !== formatHash(current2()) && accept(read);
  };
  for (let event of EVENTS) outer.addEventListener(event, listen);
  return window.addEventListener("resize", listen), () => {
    for (let event of EVENTS) outer.removeEventListener(event, listen);
    window.removeEventListener("resize", listen);
  };
}
function useSelection() {
  let [selection, show] = d2(() => parseHash(outer.location.hash)), latest = T2(selection), accept = b((next2) => {
    latest.current = next2, show(next2);
  }, []);
  A2(() => follow2(() => latest.current, accept), [accept]);
  let navigate = b(
    (change, how = "push") => {
      let next2 = changed(latest.current, change);
      accept(next2), write(next2, how);
    },
    [accept]
  );
  return [selection, navigate];
}

// src/views/bars.tsx
var MOST_ROWS2 = 8;
function segments(columns, data, row) {
  return columns.flatMap((column) => {
    let value = data.columns[column.name]?.[row];
    return typeof value == "number" && value > 0 ? [{ column, value }] : [];
  });
}
function total(parts) {
  return parts.reduce((sum, part) => sum + part.value, 0);
}
function Bar2({ parts, most, name }) {
  return /* @__PURE__ */ a3("span", { class: "bar", children: parts.map(({ column, value }) => /* @__PURE__ */ a3(
    "b",
    {
      title: `${label(column)}: ${exactValue(value, column.unit)}`,
      style: {
        width: `${100 * value / most}%`,
        background: `var(${categoryOf(name || column.name)})`
      }
    },
    column.name
  )) });
}
function Bars2({ view, spec, data }) {
  let columns = spec.columns.filter((c4) => view.values.includes(c4.name)), seen = columns.filter((c4) => data.columns[c4.name]?.some((value) => typeof value == "number" && value > 0)), labels2 = data.columns[view.label] ?? [], filled = Array.from({ length: rowCount(data) }, (_4, row) => ({ row, parts: segments(columns, data, row) })).filter(({ parts }) => parts.length), most = Math.max(...filled.map(({ parts }) => total(parts))), rest = filled.slice(MOST_ROWS2).reduce((sum, { parts }) => sum + total(parts), 0), unit = columns[0]?.unit ?? "";
  return /* @__PURE__ */ a3("div", { class: "bars", children: [
    columns.length > 1 && /* @__PURE__ */ a3("p", { class: "legend", children: seen.map((c4) => /* @__PURE__ */ a3("span", { title: c4.help, children: [
      /* @__PURE__ */ a3("i", { style: { background: `var(${categoryOf(c4.name)})` } }),
      label(c4)
    ] }, c4.name)) }),
    /* @__PURE__ */ a3("ul", { children: filled.slice(0, MOST_ROWS2).map(({ row, parts }) => /* @__PURE__ */ a3("li", { children: [
      /* @__PURE__ */ a3(Name, { text: formatValue(labels2[row], "") }),
      /* @__PURE__ */ a3(Bar2, { parts, most, name: columns.length > 1 ? "" : String(labels2[row]) }),
      /* @__PURE__ */ a3("span", { class: "number", children: formatNumber(total(parts), unit) })
    ] }, row)) }),
    filled.length > MOST_ROWS2 && /* @__PURE__ */ a3("p", { class: "soft", children: [
      "and ",
      filled.length - MOST_ROWS2,
      " more, together ",
      formatNumber(rest, unit)
    ] }),
    !filled.length && /* @__PURE__ */ a3("p", { class: "soft", children: "Nothing to draw: every value is zero or unknown." })
  ] });
}

// src/views/generic.tsx
function OneView({ view, answer, page }) {
  let { tool, selection, navigate } = page, spec = tool.tables.find((t3) => t3.name === view.table), table = useTableState(selection, navigate, view.table);
  if (view.kind === "facts") {
    let columns = tool.summary.filter((c4) => !view.show.length || view.show.includes(c4.name));
    return /* @__PURE__ */ a3(Panel, { title: view.title, children: /* @__PURE__ */ a3(Facts, { columns, values: answer.summary, unknown: answer.unknown }) });
  }
  let data = answer.tables[view.table];
  if (!spec || !data) return null;
  let title = view.title || spec.title;
  if (view.kind === "bars")
    return /* @__PURE__ */ a3(Panel, { title, help: spec.help, children: /* @__PURE__ */ a3(Bars2, { view, spec, data }) });
  let shared = common(page, view, spec), { csv, json } = shared;
  if (view.kind === "lines" || view.kind === "stack") {
    let Drawn = view.kind === "lines" ? Lines : Stack;
    return /* @__PURE__ */ a3(Panel, { title, bare: !0, children: /* @__PURE__ */ a3(Drawn, { ...shared, title, view, spec, data }) });
  }
  return /* @__PURE__ */ a3(Panel, { title, bare: !0, class: "fill", children: /* @__PURE__ */ a3(
    DataTable,
    {
      title,
      spec,
      data,
      show: view.show,
      csv,
      json,
      find: (name) => navigate(searchInTrace(name)),
      ...table
    }
  ) });
}
function Generic(page) {
  let { tool, navigate, selection, api } = page, asked = useAnswer(api, given(page));
  return /* @__PURE__ */ a3("div", { class: "page", children: [
    /* @__PURE__ */ a3(Options, { options: tool.options, params: selection.params, set: (params) => navigate({ params }) }),
    /* @__PURE__ */ a3(Shown, { asked, children: (answer) => /* @__PURE__ */ a3($, { children: [
      answer.findings[0] && /* @__PURE__ */ a3(Panel, { title: "", children: [
        /* @__PURE__ */ a3(Headline, { finding: answer.findings[0], answer, navigate }),
        /* @__PURE__ */ a3(Findings, { findings: answer.findings.slice(1), answer, navigate })
      ] }),
      tool.views.map((view, i4) => /* @__PURE__ */ a3(Boundary, { what: view.title || view.table || view.kind, children: /* @__PURE__ */ a3(OneView, { view, answer, page }) }, i4))
    ] }) })
  ] });
}

// src/shell/notes.tsx
function Notes({ notes }) {
  return notes.length ? /* @__PURE__ */ a3("ul", { class: "notes soft", "aria-label": "Not looked at", children: notes.map((note) => /* @__PURE__ */ a3("li", { children: note }, note)) }) : null;
}

// src/shell/empty.tsx
function Case({ diagnosis }) {
  let { path, found, cause, fix, ok } = diagnosis;
  return /* @__PURE__ */ a3("li", { class: ok ? "ok" : "bad", children: /* @__PURE__ */ a3("dl", { children: [
    /* @__PURE__ */ a3("dt", { children: "Looked at" }),
    /* @__PURE__ */ a3("dd", { children: /* @__PURE__ */ a3("code", { children: path }) }),
    /* @__PURE__ */ a3("dt", { children: "Found" }),
    /* @__PURE__ */ a3("dd", { children: found }),
    cause && /* @__PURE__ */ a3($, { children: [
      /* @__PURE__ */ a3("dt", { children: ok ? "So" : "Why" }),
      /* @__PURE__ */ a3("dd", { children: cause })
    ] }),
    fix && /* @__PURE__ */ a3($, { children: [
      /* @__PURE__ */ a3("dt", { children: "To fix it" }),
      /* @__PURE__ */ a3("dd", { class: "fix", children: [
        /* @__PURE__ */ a3("code", { children: fix }),
        /* @__PURE__ */ a3(CopyButton, { text: () => fix, label: "Copy" })
      ] })
    ] })
  ] }) });
}
function Roots({ roots }) {
  return roots.map(({ path }, i4) => /* @__PURE__ */ a3($, { children: [
    i4 > 0 && ", ",
    /* @__PURE__ */ a3("code", { children: path })
  ] }, path));
}
function untold(runs) {
  let told = (runs.diagnosis ?? []).map(({ path }) => `${path}: `);
  return runs.notes.filter((note) => !told.some((path) => note.startsWith(path)));
}
function Empty({ runs }) {
  return runs.scanning ? /* @__PURE__ */ a3("p", { class: "empty", role: "status", children: [
    "Looking for captures: ",
    counted(runs.folders, "folder"),
    " so far…"
  ] }) : /* @__PURE__ */ a3("section", { class: "empty", children: [
    /* @__PURE__ */ a3("h1", { children: "No profile to show yet" }),
    /* @__PURE__ */ a3("p", { class: "soft", children: "This page keeps looking: a new capture appears here within seconds, without a restart." }),
    /* @__PURE__ */ a3("ul", { class: "cases", children: (runs.diagnosis ?? []).map((diagnosis) => /* @__PURE__ */ a3(Case, { diagnosis }, diagnosis.case + diagnosis.path)) }),
    !runs.diagnosis?.length && /* @__PURE__ */ a3("p", { children: [
      "Looked at ",
      /* @__PURE__ */ a3(Roots, { roots: runs.roots })
    ] }),
    /* @__PURE__ */ a3(Notes, { notes: untold(runs) })
  ] });
}

// src/shell/help.tsx
var KEYS4 = [
  ["?", "this help"],
  ["Shift R", "choose a run"],
  ["Shift H", "choose a host"],
  ["1 … 9", "open a tool"],
  ["/", "filter or search on this page"],
  ["↑ ↓ PgUp PgDn", "move in a table; with Shift choose rows"],
  ["Ctrl C", "copy the chosen rows, exact values"],
  ["Esc", "close"]
];
function Keys({ keys: keys5 }) {
  return /* @__PURE__ */ a3("table", { class: "keys", children: /* @__PURE__ */ a3("tbody", { children: keys5.map(([key, what]) => /* @__PURE__ */ a3("tr", { children: [
    /* @__PURE__ */ a3("th", { scope: "row", children: /* @__PURE__ */ a3("kbd", { children: key }) }),
    /* @__PURE__ */ a3("td", { children: what })
  ] }, key)) }) });
}
function Help({ tool, keys: keys5, close }) {
  let dialog = T2(null);
  return A2(() => dialog.current?.showModal(), []), /* @__PURE__ */ a3(
    "dialog",
    {
      ref: dialog,
      class: "help",
      "aria-label": "Help",
      onClose: close,
      onClick: (event) => event.target === dialog.current && close(),
      children: /* @__PURE__ */ a3("div", { children: [
        tool && /* @__PURE__ */ a3($, { children: [
          /* @__PURE__ */ a3("h2", { children: tool.title }),
          /* @__PURE__ */ a3("p", { children: tool.question }),
          /* @__PURE__ */ a3("p", { class: "soft", children: tool.help })
        ] }),
        tool && /* @__PURE__ */ a3(Meanings, { tool }),
        keys5 && /* @__PURE__ */ a3($, { children: [
          /* @__PURE__ */ a3("h2", { children: "Keys of this page" }),
          /* @__PURE__ */ a3(Keys, { keys: keys5 })
        ] }),
        /* @__PURE__ */ a3("h2", { children: "Keys everywhere" }),
        /* @__PURE__ */ a3(Keys, { keys: KEYS4 ?? [] }),
        /* @__PURE__ */ a3("p", { class: "soft", children: "Colours mean the same everywhere:" }),
        /* @__PURE__ */ a3(Legend3, {}),
        /* @__PURE__ */ a3("form", { method: "dialog", children: /* @__PURE__ */ a3("button", { type: "submit", children: "Close" }) })
      ] })
    }
  );
}
function Meanings({ tool }) {
  let drawn = tool.views.every((view) => view.kind === "page"), groups = [{ title: "The numbers at the top", columns: tool.summary }, ...tool.tables];
  return drawn ? null : /* @__PURE__ */ a3($, { children: [
    /* @__PURE__ */ a3("h2", { children: "What the numbers mean" }),
    groups.map(({ title, columns }) => /* @__PURE__ */ a3("details", { children: [
      /* @__PURE__ */ a3("summary", { children: title }),
      /* @__PURE__ */ a3("dl", { children: columns.map((column) => /* @__PURE__ */ a3("div", { children: [
        /* @__PURE__ */ a3("dt", { title: column.name, children: label(column) }),
        /* @__PURE__ */ a3("dd", { children: column.help })
      ] }, column.name)) })
    ] }, title))
  ] });
}
var COLOURS = [
  ["--input", "waiting for input"],
  ["--device", "device compute"],
  ["--device16", "in 16 bits"],
  ["--device8", "in 8 bits"],
  ["--launch", "kernel launch"],
  ["--host", "host compute"],
  ["--runtime", "runtime overhead"],
  ["--copy", "copies"],
  ["--collective", "collectives"],
  ["--compile", "compilation"],
  ["--python", "Python"],
  ["--waiting", "waiting"],
  ["--idle", "idle"],
  ["--unknown", "unknown"]
];
function Legend3() {
  return /* @__PURE__ */ a3("p", { class: "legend", children: COLOURS.map(([variable, what]) => /* @__PURE__ */ a3("span", { children: [
    /* @__PURE__ */ a3("i", { style: { background: `var(${variable})` } }),
    what
  ] }, variable)) });
}

// src/shell/keys.ts
function isTyping(target) {
  return target instanceof HTMLElement && target.matches("input:not([type=checkbox]), textarea, select");
}
function press(id) {
  document.getElementById(id)?.click();
}
function search() {
  let field = document.querySelector("main input[type=search]");
  return field?.focus(), field !== null;
}
function useKeys2(tools, navigate, help) {
  A2(() => {
    let onKeyDown = (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target)) return;
      let tool = /^[1-9]$/.test(event.key) ? tools[Number(event.key) - 1] : void 0;
      if (event.key === "?") help();
      else if (event.key === "R") press("run-picker");
      else if (event.key === "H") press("host-picker");
      else if (tool) navigate({ tool: tool.name });
      else if (event.key !== "/" || !search()) return;
      event.preventDefault();
    };
    return document.addEventListener("keydown", onKeyDown), () => document.removeEventListener("keydown", onKeyDown);
  }, [tools, navigate, help]);
}

// src/shell/picker.tsx
var ROW_PX3 = 24, MOST_ROWS3 = 18, COMBOBOX = { role: "combobox", "aria-expanded": "true", "aria-controls": "picker-list" };
function next(choices, from, step2) {
  for (let i4 = from + step2; i4 >= 0 && i4 < choices.length; i4 += step2) if (choices[i4]?.value != null) return i4;
  return from;
}
function Line({ choice, id, top, isSelected, isAt, pick }) {
  let style = { transform: `translateY(${top}px)` };
  return choice.value === null ? /* @__PURE__ */ a3("div", { class: "picker-heading", role: "presentation", style, children: choice.content }) : /* @__PURE__ */ a3("div", { id, role: "option", "aria-selected": isSelected, style, class: isAt ? "at" : "", onClick: pick, children: choice.content });
}
function useAt(choices, filter, selected2) {
  let [moved2, setMoved] = d2(null), first = Math.max(next(choices, -1, 1), filter ? -1 : choices.findIndex((c4) => c4.value === selected2)), at = moved2?.filter === filter ? moved2.at : first;
  return { at, move: (step2) => {
    let to2 = at;
    for (let i4 = 0; i4 < Math.abs(step2); i4++) to2 = next(choices, to2, Math.sign(step2));
    setMoved({ filter, at: to2 });
  } };
}
var STEPS2 = /* @__PURE__ */ new Map([
  ["ArrowDown", 1],
  ["ArrowUp", -1],
  ["PageDown", MOST_ROWS3 - 1],
  ["PageUp", 1 - MOST_ROWS3]
]);
function Picker({ label: label2, hint, selected: selected2, choices: choose, pick }) {
  let [filter, setFilter] = d2(""), choices = w2(() => choose(filter), [choose, filter]), { at, move } = useAt(choices, filter, selected2), scroller = T2(null), input = T2(null), rows2 = useVirtualRows(scroller, choices.length, ROW_PX3);
  F2(() => input.current?.focus(), []), F2(() => {
    at >= 0 && rows2.scrollToIndex(at);
  }, [at]);
  let onKeyDown = (event) => {
    let step2 = STEPS2.get(event.key), value = choices[at]?.value;
    step2 === void 0 && event.key !== "Enter" || (event.preventDefault(), step2 !== void 0 ? move(step2) : value != null && pick(value));
  };
  return /* @__PURE__ */ a3("div", { class: "picker", children: [
    /* @__PURE__ */ a3(
      "input",
      {
        ref: input,
        type: "search",
        ...COMBOBOX,
        "aria-label": label2,
        "aria-activedescendant": `pick-${at}`,
        placeholder: hint,
        value: filter,
        spellcheck: !1,
        onInput: (event) => setFilter(event.currentTarget.value),
        onKeyDown
      }
    ),
    /* @__PURE__ */ a3("div", { class: "picker-list", ref: scroller, style: { height: `${Math.min(choices.length, MOST_ROWS3) * ROW_PX3}px` }, children: /* @__PURE__ */ a3("div", { id: "picker-list", role: "listbox", "aria-label": label2, style: { height: `${rows2.getTotalSize()}px` }, children: rows2.getVirtualItems().map(({ index, start }) => {
      let choice = choices[index], state = { isSelected: choice.value === selected2, isAt: index === at }, choose2 = () => choice.value !== null && pick(choice.value);
      return /* @__PURE__ */ a3(Line, { choice, id: `pick-${index}`, top: start, pick: choose2, ...state }, index);
    }) }) }),
    choices.length === 0 && /* @__PURE__ */ a3("p", { class: "soft", children: "Nothing matches." })
  ] });
}

// src/shell/run_groups.ts
function split(name) {
  let at = name.lastIndexOf("/");
  return at < 0 ? ["", name] : [name.slice(0, at), name.slice(at + 1)];
}
function groupRuns(runs, filter) {
  let words = filter.toLowerCase().split(/\s+/).filter(Boolean), groups = /* @__PURE__ */ new Map();
  for (let run of runs) {
    let haystack = `${run.name} ${run.hosts.map((h4) => h4.name).join(" ")}`.toLowerCase();
    if (!words.every((word) => haystack.includes(word))) continue;
    let [folder, short] = split(run.name), lines = groups.get(folder) ?? [];
    lines.push({ run, short }), groups.set(folder, lines);
  }
  return [...groups].flatMap(([folder, lines]) => {
    let [only] = lines;
    return lines.length === 1 && only && "run" in only ? [{ run: only.run, short: only.run.name }] : folder ? [{ group: folder }, ...lines] : lines;
  });
}

// src/shell/pickers.tsx
var SESSION = 19;
function runChoice(run, short) {
  let hosts = run.hosts.length === 1 ? run.hosts[0].name : counted(run.hosts.length, "host"), content = /* @__PURE__ */ a3(
    "span",
    {
      class: "run-line",
      title: `${run.name}
${formatTime(run.captured_ms)}
${run.hosts.map((h4) => h4.name).join(", ")}`,
      children: [
        /* @__PURE__ */ a3(Name, { text: short, tail: SESSION }),
        /* @__PURE__ */ a3("span", { class: "soft", children: formatAge(run.captured_ms, Date.now()) }),
        /* @__PURE__ */ a3("span", { class: "soft run-hosts", children: hosts }),
        /* @__PURE__ */ a3("span", { class: "soft number", children: formatBytes(run.size_bytes) })
      ]
    }
  );
  return { value: run.name, content };
}
function RunPicker({ runs, selection, navigate }) {
  let choices = b(
    (filter) => groupRuns(runs.runs, filter).map(
      (line) => "group" in line ? { value: null, content: /* @__PURE__ */ a3(Name, { text: `${line.group}/` }) } : runChoice(line.run, line.short)
    ),
    [runs.runs]
  ), about = `${counted(runs.runs.length, "run")}${runs.scanning ? `, still looking: ${counted(runs.folders, "folder")} so far` : ""}`;
  return /* @__PURE__ */ a3(
    Popover,
    {
      id: "run-picker",
      label: "Run",
      class: "run-picker",
      button: /* @__PURE__ */ a3($, { children: [
        /* @__PURE__ */ a3("span", { class: "soft", children: "run" }),
        " ",
        /* @__PURE__ */ a3(Name, { text: selection.run, tail: SESSION }),
        " ",
        /* @__PURE__ */ a3("i", { children: "▾" })
      ] }),
      children: (close) => /* @__PURE__ */ a3($, { children: [
        /* @__PURE__ */ a3(
          Picker,
          {
            label: "Run",
            hint: `Search ${about}`,
            selected: selection.run,
            choices,
            pick: (run) => {
              navigate({ run }), close();
            }
          }
        ),
        /* @__PURE__ */ a3(Notes, { notes: runs.notes })
      ] })
    }
  );
}
function NewRun({ runs, selection, navigate }) {
  let since = T2(1 / 0), newest = runs.runs[0];
  return since.current === 1 / 0 && !runs.scanning && (since.current = newest?.modified_ms ?? 0), !newest || newest.modified_ms <= since.current || newest.name === selection.run ? null : /* @__PURE__ */ a3(
    "button",
    {
      type: "button",
      class: "new-run",
      title: `${newest.name}, ${formatTime(newest.captured_ms)}`,
      onClick: () => navigate({ run: newest.name }),
      children: "newer run ▸"
    }
  );
}
function HostPicker({ run, selection, navigate }) {
  let all = run.hosts.length > 1 ? `all ${run.hosts.length}` : run.hosts[0]?.name ?? "none", shown = selection.hosts.length ? selection.hosts.join(", ") : all, choices = b(
    (filter) => {
      let lines = run.hosts.filter((host2) => host2.name.toLowerCase().includes(filter.toLowerCase())).map((host2) => ({
        value: host2.name,
        content: /* @__PURE__ */ a3("span", { class: "host-line", children: [
          /* @__PURE__ */ a3(Name, { text: host2.name }),
          /* @__PURE__ */ a3("span", { class: "soft", children: host2.format }),
          /* @__PURE__ */ a3("span", { class: "soft number", children: formatBytes(host2.size_bytes) })
        ] })
      }));
      return filter || run.hosts.length < 2 ? lines : [{ value: "", content: `all ${run.hosts.length} hosts` }, ...lines];
    },
    [run]
  );
  return /* @__PURE__ */ a3(
    Popover,
    {
      id: "host-picker",
      label: "Host",
      class: "host-picker",
      button: /* @__PURE__ */ a3($, { children: [
        /* @__PURE__ */ a3("span", { class: "soft", children: "host" }),
        " ",
        /* @__PURE__ */ a3(Name, { text: shown }),
        " ",
        /* @__PURE__ */ a3("i", { children: "▾" })
      ] }),
      children: (close) => /* @__PURE__ */ a3(
        Picker,
        {
          label: "Host",
          hint: `Search ${counted(run.hosts.length, "host")}`,
          selected: selection.hosts[0] ?? "",
          choices,
          pick: (host2) => {
            navigate({ hosts: host2 ? [host2] : [] }), close();
          }
        }
      )
    }
  );
}

// src/shell/quality.tsx
function level(quality) {
  let { events_in_file: all, events_kept: kept, warnings } = quality;
  return all === 0 || kept < all / 2 ? "bad" : kept < all || warnings.length ? "fair" : "good";
}
var WORDS2 = {
  good: "everything is shown",
  fair: "something is missing",
  bad: "most is missing"
};
function isSlow(quality) {
  return quality.decoder.includes("protobuf");
}
function Details2({ quality }) {
  let lost = Object.entries(quality.dropped).filter(([, count2]) => count2 > 0), share = quality.events_in_file ? quality.events_kept / quality.events_in_file : 0;
  return /* @__PURE__ */ a3("div", { class: "quality-details", children: [
    /* @__PURE__ */ a3("h2", { children: [
      "Capture quality: ",
      WORDS2[level(quality)]
    ] }),
    /* @__PURE__ */ a3("p", { children: [
      grouped(quality.events_kept),
      " of ",
      counted(quality.events_in_file, "event"),
      " in the file are shown (",
      percent(share),
      ")."
    ] }),
    lost.length > 0 && /* @__PURE__ */ a3("ul", { children: lost.map(([reason, count2]) => /* @__PURE__ */ a3("li", { children: [
      grouped(count2),
      " left out: ",
      reason
    ] }, reason)) }),
    quality.warnings.length > 0 && /* @__PURE__ */ a3("ul", { children: quality.warnings.map((warning) => /* @__PURE__ */ a3("li", { children: warning }, warning)) }),
    isSlow(quality) && /* @__PURE__ */ a3("p", { children: [
      "Read by the slow decoder, because the compiled one is not installed. The numbers are the same; large captures take several times as long. To build it: install a C compiler, then",
      " ",
      /* @__PURE__ */ a3("code", { children: "pip install --force-reinstall --no-deps tensorboard-perfplugin" })
    ] })
  ] });
}
function QualityButton({ quality }) {
  let notes = [
    `${grouped(quality.events_kept)} of ${grouped(quality.events_in_file)} events`,
    ...quality.warnings.length ? [counted(quality.warnings.length, "warning")] : [],
    ...isSlow(quality) ? ["slow decoder"] : []
  ], button = /* @__PURE__ */ a3($, { children: [
    /* @__PURE__ */ a3("i", { class: `dot ${level(quality)}`, "aria-hidden": "true", children: "●" }),
    " ",
    /* @__PURE__ */ a3("span", { class: "quality-text", children: notes.join(" · ") })
  ] });
  return /* @__PURE__ */ a3(Popover, { label: `Capture quality: ${WORDS2[level(quality)]}`, button, class: "right", children: () => /* @__PURE__ */ a3(Details2, { quality }) });
}

// src/shell/top_bar.tsx
function linkTo(selection) {
  let url = new URL(outer.location.href);
  return url.hash = formatHash(selection, outer.location.hash), url.href;
}
function Tab({
  tool,
  reason,
  selection,
  navigate
}) {
  let open = (event) => {
    event.ctrlKey || event.metaKey || event.shiftKey || (event.preventDefault(), navigate({ tool: tool.name }));
  }, here = selection.tool === tool.name;
  return /* @__PURE__ */ a3(
    "a",
    {
      href: linkTo(changed(selection, { tool: tool.name, params: {} })),
      target: "_top",
      class: reason ? "tab missing" : "tab",
      "aria-current": here ? "page" : void 0,
      title: reason ? `Nothing to show: ${reason}` : tool.question,
      onClick: open,
      children: tool.title
    }
  );
}
function TopBar(props) {
  let { runs, run, tools, missing, quality, selection, navigate, help } = props;
  return /* @__PURE__ */ a3("header", { class: "top-bar", children: [
    /* @__PURE__ */ a3(RunPicker, { runs, selection, navigate }),
    /* @__PURE__ */ a3(NewRun, { runs, selection, navigate }),
    run && /* @__PURE__ */ a3(HostPicker, { run, selection, navigate }),
    /* @__PURE__ */ a3("nav", { "aria-label": "Tools", children: tools.map((tool) => /* @__PURE__ */ a3(Tab, { tool, reason: missing[tool.name], selection, navigate }, tool.name)) }),
    /* @__PURE__ */ a3("div", { class: "top-right", children: [
      quality && /* @__PURE__ */ a3(QualityButton, { quality }),
      /* @__PURE__ */ a3(CopyButton, { text: () => linkTo(selection), label: "Copy link", title: "Copy a link to exactly this page" }),
      /* @__PURE__ */ a3("button", { type: "button", title: "Keys and help (?)", "aria-label": "Help", onClick: help, children: "?" })
    ] })
  ] });
}

// src/shell/use_runs.ts
var PERIOD_MS = 5e3, SCANNING_MS = 500;
function fresh(old, runs) {
  return old && JSON.stringify(old) === JSON.stringify(runs) ? old : runs;
}
function useRuns() {
  let [polled, set] = d2({ runs: null, error: null });
  return A2(() => {
    let timer = 0, asking = !1, ask = async () => {
      if (asking) return;
      asking = !0, clearTimeout(timer);
      let period = PERIOD_MS;
      try {
        let runs = await getRuns();
        runs.scanning && (period = SCANNING_MS), set((old) => ({ runs: fresh(old.runs, runs), error: null }));
      } catch (reason) {
        set((old) => ({ ...old, error: asApiError(reason) }));
      }
      asking = !1, timer = window.setTimeout(tick, period);
    }, tick = () => {
      clearTimeout(timer), isShown() ? ask() : timer = window.setTimeout(tick, PERIOD_MS);
    };
    return ask(), onReload(() => {
      ask();
    }), document.addEventListener("visibilitychange", tick), window.addEventListener("resize", tick), () => {
      clearTimeout(timer), document.removeEventListener("visibilitychange", tick), window.removeEventListener("resize", tick);
    };
  }, []), polled;
}

// src/shell/app.tsx
var FIRST_TOOL = "overview", SCAN_PATIENCE_MS = 1e3;
function useFilledSelection(runs) {
  let [selection, navigate] = useSelection(), [patient, setPatient] = d2(!0);
  A2(() => {
    let timer = setTimeout(() => setPatient(!1), SCAN_PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  let newest = runs && !(runs.scanning && patient) ? runs.runs[0]?.name ?? "" : "", run = selection.run || newest, tool = selection.tool || FIRST_TOOL;
  return A2(() => {
    run && (run !== selection.run || tool !== selection.tool) && navigate({ run, tool, params: selection.params, hosts: selection.hosts }, "replace");
  }, [run, tool, selection, navigate]), [{ ...selection, run, tool }, navigate];
}
function useTools(run, hosts, stamp) {
  let [tools, setTools] = d2([]), [missing, setMissing] = d2({ key: "", reasons: {} }), [error, setError] = d2(null), key = JSON.stringify([run, hosts, stamp]), [attempt, setAttempt] = d2(0);
  return useRetry(error, () => setAttempt((n3) => n3 + 1)), A2(() => {
    getTools().then(
      (body) => setTools(body.tools),
      (reason) => setError(asApiError(reason))
    );
  }, [attempt]), A2(() => {
    if (!stamp) return;
    let abort = new AbortController();
    return getTools(run, hosts, abort.signal).then(
      (body) => setMissing({
        key,
        reasons: Object.fromEntries(body.tools.flatMap((t3) => t3.missing === null ? [] : [[t3.name, t3.missing]]))
      }),
      () => {
      }
      // The page of the tool says why the capture cannot be read.
    ), () => abort.abort();
  }, [key]), [tools, missing.key === key ? missing.reasons : {}, error];
}
function useApi(selection, stamp) {
  let [seen, setSeen] = d2(null), key = JSON.stringify([selection.run, selection.hosts, stamp]);
  return [w2(() => {
    let { url, data } = apiFor(selection);
    return {
      url,
      data: async (options2, signal) => {
        let answer = await data(options2, signal);
        return setSeen({ key, quality: answer.quality }), answer;
      }
    };
  }, [key, selection.tool]), seen?.key === key ? seen.quality : null];
}
function PageOf({ reason, ...page }) {
  let { tool } = page;
  if (reason !== void 0)
    return /* @__PURE__ */ a3("section", { class: "empty", children: [
      /* @__PURE__ */ a3("h1", { children: [
        tool.title,
        ": nothing to show"
      ] }),
      /* @__PURE__ */ a3("p", { children: [
        reason.charAt(0).toUpperCase() + reason.slice(1),
        "."
      ] }),
      /* @__PURE__ */ a3("p", { class: "soft", children: tool.help })
    ] });
  let Page = PAGES[tool.name]?.default ?? Generic;
  return /* @__PURE__ */ a3(Boundary, { what: tool.title, children: /* @__PURE__ */ a3(Page, { ...page }, tool.name) });
}
function NoRun({ runs, selection, navigate }) {
  let newest = runs.runs[0];
  return /* @__PURE__ */ a3("section", { class: "empty", children: [
    /* @__PURE__ */ a3("h1", { children: [
      "There is no run ",
      /* @__PURE__ */ a3("code", { children: selection.run }),
      " (any more)"
    ] }),
    /* @__PURE__ */ a3("p", { children: [
      "Looked for it in ",
      /* @__PURE__ */ a3(Roots, { roots: runs.roots }),
      " and found ",
      counted(runs.runs.length, "other run"),
      "."
    ] }),
    /* @__PURE__ */ a3("p", { children: /* @__PURE__ */ a3("button", { type: "button", onClick: () => navigate({ run: newest.name }), children: [
      "Open the newest, ",
      newest.name
    ] }) })
  ] });
}
function Body(props) {
  let { runs, run, page, tool, error } = props;
  return run ? error && !tool ? /* @__PURE__ */ a3(Failure, { error }) : tool ? /* @__PURE__ */ a3(PageOf, { tool, ...page }) : null : runs.scanning ? /* @__PURE__ */ a3(Empty, { runs }) : /* @__PURE__ */ a3(NoRun, { runs, selection: page.selection, navigate: page.navigate });
}
function App() {
  let { runs, error } = useRuns(), [selection, navigate] = useFilledSelection(runs), run = runs?.runs.find((r4) => r4.name === selection.run), stamp = run?.modified_ms ?? 0, [tools, missing, toolsError] = useTools(selection.run, selection.hosts, stamp), tool = tools.find((t3) => t3.name === selection.tool || t3.aliases.includes(selection.tool)), [api, quality] = useApi({ ...selection, tool: tool?.name ?? selection.tool }, stamp), [helping, setHelping] = d2(!1), help = b(() => setHelping(!0), []);
  useKeys2(tools, navigate, help);
  let titles = w2(() => Object.fromEntries(tools.map((t3) => [t3.name, t3.title])), [tools]), page = { reason: tool && missing[tool.name], selection, navigate, api };
  return runs ? runs.runs.length ? /* @__PURE__ */ a3(Reading.Provider, { value: reading(run, selection.hosts), children: /* @__PURE__ */ a3("div", { class: "app", children: [
    /* @__PURE__ */ a3(
      TopBar,
      {
        runs,
        run,
        tools,
        missing,
        quality,
        selection,
        navigate,
        help
      }
    ),
    error && /* @__PURE__ */ a3("p", { class: "banner", role: "alert", children: error.message }),
    /* @__PURE__ */ a3("main", { children: /* @__PURE__ */ a3(Titles.Provider, { value: titles, children: /* @__PURE__ */ a3(Body, { runs, run, page, tool, error: toolsError }) }) }),
    helping && /* @__PURE__ */ a3(Help, { tool, keys: tool && PAGES[tool.name]?.keys, close: () => setHelping(!1) })
  ] }) }) : /* @__PURE__ */ a3("main", { class: "app", children: /* @__PURE__ */ a3(Empty, { runs }) }) : /* @__PURE__ */ a3("main", { class: "app", children: error ? /* @__PURE__ */ a3(Failure, { error }) : null });
}

// src/index.tsx
function stylesheet() {
  let link = document.createElement("link");
  return link.rel = "stylesheet", link.href = new URL("style.css", import.meta.url).href, new Promise((resolve) => {
    link.onload = () => resolve(), link.onerror = () => resolve(), document.head.append(link);
  });
}
async function render() {
  document.title = "Profile", document.documentElement.lang = "en", followTheme(), await stylesheet(), Q(/* @__PURE__ */ a3(App, {}), document.body);
}
export {
  render
};
