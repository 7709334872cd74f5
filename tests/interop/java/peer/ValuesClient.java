// SPDX-License-Identifier: Apache-2.0
//
// The Java client of values.idl: the same checks under the same names as the other peers'. Main thread only.
package peer;

import InteropValues.Base;
import InteropValues.Choice;
import InteropValues.ExchangeStub;
import InteropValues.Failed;
import InteropValues.Inbound;
import InteropValues.LongsBox;
import InteropValues.Packed;
import InteropValues.Pair;
import InteropValues.PairBox;
import InteropValues.TextBox;
import InteropValues.Titled;
import InteropValues.Tree;
import InteropValues.Wider;
import java.util.Arrays;
import java.util.List;
import org.tenon.Any;
import org.tenon.CdrType;
import org.tenon.CdrTypes;
import org.tenon.Holder;
import org.tenon.ObjectStub;
import org.tenon.Orb;
import org.tenon.SystemException;

public final class ValuesClient {
  private final Report report;
  private final InteropValues.Exchange server;

  private ValuesClient(Report report, InteropValues.Exchange server) {
    this.report = report;
    this.server = server;
  }

  private static boolean alike(Tree a, Tree b) {
    if (a == null || b == null) return a == b;
    return a.id() == b.id() && alike(a.left(), b.left()) && alike(a.right(), b.right());
  }

  private void trees() {
    report.check("value_null", () -> {
      Holder<Tree> b = new Holder<>();
      Holder<Tree> c = new Holder<>();
      return server.echo_tree(null, b, c) == null && b.value == null && c.value == null ? "" : "not null";
    });
    report.check("value_tree", () -> {
      Tree a = Values.tree();
      Holder<Tree> b = new Holder<>(new Tree(99, null, null));
      Holder<Tree> c = new Holder<>();
      Tree back = server.echo_tree(a, b, c);
      if (!alike(back, a) || !alike(b.value, a) || c.value.id() != 99) return "other values";
      return back == b.value ? "" : "result and inout are not one value";
    });
    report.check("value_shared", () -> {
      Tree a = Values.tree();
      return server.same(a, a) && !server.same(a, Values.tree()) ? "" : "wrong answer";
    });
    report.check("value_ring", () -> {
      if (server.ring_length(Values.ring(5)) != 5) return "the server met another ring";
      return Values.ringLength(server.make_ring(7)) == 7 ? "" : "another ring came";
    });
  }

  private static String wrongWider(Object value) {
    if (!(value instanceof Wider w)) return "not a Wider";
    if (!(value instanceof Values.ReadableText readable) || !readable.text().equals("in")) return "other private state";
    if (w.number() != 7 || w.real() != 1.5 || !w.tail().equals("tail")) return "other state";
    return alike(w.branch(), Values.tree()) ? "" : "another tree";
  }

  private void bases() {
    report.check("value_derived", () -> {
      Wider a = new Values.WiderValue(Values.tree());
      String text = server.text_of(a);
      return text.equals("in") ? wrongWider(server.echo_base(a)) : "private state: " + text;
    });
    report.check("value_truncated_there", () -> wrongWider(server.echo_base(Values.outbound())));
    report.check("value_truncated_here", () -> wrongWider(server.make_inbound()));
    report.checkRaises("value_unknown", List.of(SystemException.Kind.MARSHAL), server::make_secret);
    report.check("value_sequence", () -> {
      Base twice = new Values.BaseValue();
      twice.number(3);
      List<Base> back = server.echo_bases(Arrays.asList(Values.outbound(), null, twice, twice));
      if (back.size() != 4 || back.get(1) != null) return "other elements";
      return back.get(2).number() == 3 && back.get(2) == back.get(3) ? wrongWider(back.get(0)) : "not one value twice";
    });
    report.check("value_attribute", () -> {
      Base a = new Values.BaseValue();
      a.number(12);
      server.kept(a);
      return server.kept().number() == 12 ? "" : "another value";
    });
  }

  private void others() {
    report.check("value_boxes", () -> {
      boolean right = server.echo_text(new TextBox("boxed")).value().equals("boxed")
          && Arrays.equals(server.echo_longs(new LongsBox(new int[] {0, 0, 33})).value(), new int[] {0, 0, 33})
          && server.echo_pair(new PairBox(new Pair(1, 2.5))).value().equals(new Pair(1, 2.5)) && server.echo_text(null) == null;
      return right ? "" : "other content";
    });
    report.check("value_abstract", () -> {
      InteropValues.Square square = new Values.SquareValue(3);
      return server.area_of(square) == 9 && server.echo_shape(square).area() == 9 ? "" : "another area";
    });
    report.check("value_base", () -> alike((Tree) server.echo_value(Values.tree()), Values.tree()) ? "" : "another value");
    report.check("value_custom", () -> {
      Packed back = server.echo_packed(new Values.PackedValue(-5, "custom"));
      return back.number() == -5 && back.text().equals("custom") ? "" : "other state";
    });
    report.check("value_abstract_interface", () -> {
      Titled label = new Values.LabelValue("a label");
      String title = server.title_of(label);
      if (!title.equals("a label")) return "title of the value: " + title;
      Titled back = server.echo_titled(label);
      if (!(back instanceof Values.LabelValue) || !back.title().equals("a label")) return "what came back: " + back;
      return server.echo_titled(server.where()).title().equals("a place") ? "" : "title of the object";
    });
    report.check("value_holder", () -> {
      Tree tree = Values.tree();
      InteropValues.Holder back = server.echo_holder(new InteropValues.Holder(tree, new Values.SquareValue(2), new TextBox("in a struct"),
          Values.outbound(), List.of(Values.outbound()), new Choice.Branch(tree), tree));
      boolean one = alike(back.root(), tree) && back.root() == back.again() && back.chosen() instanceof Choice.Branch branch
          && branch.value() == back.root();
      if (!one) return "the tree is not one value";
      if (back.form().area() != 4 || !back.box().value().equals("in a struct")) return "other members";
      String wrong = wrongWider(back.whatever());
      return wrong.isEmpty() ? wrongWider(back.bases().get(0)) : wrong;
    });
    report.check("value_exception", () -> {
      try {
        server.fail(Values.tree());
      } catch (Failed failed) {
        return alike(failed.cause(), Values.tree()) && failed.why().equals("as asked") ? "" : "other members";
      }
      return "no exception";
    });
  }

  private void anys() {
    report.check("value_any", () -> {
      Tree tree = Values.tree();
      tree.left().left(tree);
      Tree back = server.echo_any(Any.of(Tree._Type.INSTANCE, tree)).get(Tree._Type.INSTANCE);
      return back.left().left() == back && back.right().id() == 3 ? "" : "another tree";
    });
    report.check("value_any_derived", () -> {
      // The text before it moves the value through all alignments.
      for (int before = 0; before < 8; ++before) {
        List<Any> both = List.of(Any.of(CdrTypes.string(0), "x".repeat(before)),
            Any.of(Base._Type.INSTANCE, new Values.WiderValue(Values.tree())));
        CdrType<List<Any>> anys = CdrTypes.sequence(CdrTypes.ANY, 4, 0);
        List<Any> back = server.echo_any(Any.of(anys, both)).get(anys);
        String wrong = wrongWider(back.get(1).get(Base._Type.INSTANCE));
        if (!wrong.isEmpty()) return wrong + " behind " + before + " octets";
      }
      return "";
    });
    report.check("value_any_made_there", () -> {
      Tree tree = server.make_any(false).get(Tree._Type.INSTANCE);
      return tree.id() == 4 && tree.left() == tree ? "" : "another tree";
    });
    report.check("value_any_passed_on", () -> {
      Any back = server.echo_any(server.make_any(true));
      if (!back.type().id().equals(Inbound._ID)) return "another type";
      Wider known = back.get(Wider._Type.INSTANCE); // there is no factory for Inbound here
      return known.branch() != null ? "" : "not a Wider";
    });
  }

  public static void main(String[] words) throws Exception {
    Options options = new Options(words);
    Options.endLate(300, 3);
    Report report = new Report(options.only, options.skip);
    int status = 1;
    try (Orb orb = options.orb()) {
      Values.registerCommon(orb);
      ValuesClient client =
          new ValuesClient(report, ExchangeStub._narrow(ObjectStub.of(orb.toReference(options.readReference()))));
      client.trees();
      client.bases();
      client.others();
      client.anys();
      status = report.summary();
    } catch (SystemException e) {
      System.out.println("FAIL start " + e.getMessage());
    }
    System.exit(status);
  }
}
